/// A constraint of a table, as opposed to a constraint of a single column.
public struct TableConstraint: Hashable, Codable, Sendable {
    /// The name that `CONSTRAINT` gives it; `nil` without one.
    public var name: String?
    /// The constraint itself.
    public var kind: Kind

    public init(name: String? = nil, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The kinds of constraints, each with the columns or the condition that it is about.
    public enum Kind: Hashable, Codable, Sendable {
        /// `PRIMARY KEY ("a", "b")`, with `ON CONFLICT …` if a conflict resolution is given.
        case primaryKey([IndexedColumn], onConflict: ConflictResolution? = nil)
        /// `UNIQUE ("a", "b")`, with `ON CONFLICT …` if a conflict resolution is given.
        case unique([IndexedColumn], onConflict: ConflictResolution? = nil)
        /// `CHECK (a < b)`. The SQL is the condition without its parentheses.
        case check(SQL)
        /// `FOREIGN KEY ("a", "b") REFERENCES "other"("a", "b")`. The names are those of this table's columns.
        case foreignKey([String], ForeignKeyReference)
    }

    var sql: SQL {
        let name: SQL = name.map { "CONSTRAINT \(name: $0) " } ?? ""
        return name + kind.sql
    }
}

extension TableConstraint.Kind {
    fileprivate var sql: SQL {
        switch self {
        case .primaryKey(let columns, let conflict):
            "PRIMARY KEY (\(columns.map(\.sql).joined(separator: ", ")))" + conflict.sql
        case .unique(let columns, let conflict):
            "UNIQUE (\(columns.map(\.sql).joined(separator: ", ")))" + conflict.sql
        case .check(let condition): "CHECK (\(condition.expression(named: "the condition of a CHECK")))"
        case .foreignKey(let columns, let reference): "FOREIGN KEY (\(names: columns)) " + reference.sql
        }
    }
}
