/// A constraint of a table, as opposed to a constraint of a single column.
public struct TableConstraint: Hashable, Codable, Sendable {
    public var name: String?
    public var kind: Kind

    public init(name: String? = nil, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    public enum Kind: Hashable, Codable, Sendable {
        /// `PRIMARY KEY ("a", "b")`
        case primaryKey([IndexedColumn], onConflict: ConflictResolution? = nil)
        /// `UNIQUE ("a", "b")`
        case unique([IndexedColumn], onConflict: ConflictResolution? = nil)
        /// `CHECK (a < b)`
        case check(SQL)
        /// `FOREIGN KEY ("a", "b") REFERENCES "other"("a", "b")`
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
