/// An index of a table.
public struct IndexDefinition: Hashable, Codable, Sendable {
    public var name: String
    public var table: String
    public var columns: [IndexedColumn]
    public var isUnique: Bool
    /// The `WHERE` condition of a partial index.
    public var condition: SQL?

    public init(
        name: String, table: String, columns: [IndexedColumn], isUnique: Bool = false, condition: SQL? = nil
    ) {
        self.name = name
        self.table = table
        self.columns = columns
        self.isUnique = isUnique
        self.condition = condition
    }

    /// `CREATE UNIQUE INDEX "name" ON "table"("column" DESC) WHERE …`
    public var sql: SQL { sql() }

    /// Returns `CREATE INDEX "name" ON "table"("column")`, optionally with `IF NOT EXISTS`.
    public func sql(ifNotExists: Bool = false) -> SQL { sql(ifNotExists: ifNotExists, in: nil) }

    /// - Parameter schema: The database of the index. Without it, an index on a table is that of a TEMP table of the same name.
    func sql(ifNotExists: Bool, in schema: String?) -> SQL {
        let unique: SQL = isUnique ? "UNIQUE " : ""
        let guarded: SQL = ifNotExists ? "IF NOT EXISTS " : ""
        let rows: SQL =
            condition.map { " WHERE \($0.expression(named: "the condition of the index \"\(name)\""))" } ?? ""
        let list = columns.map(\.sql).joined(separator: ", ")
        let database: SQL = schema.map { "\(raw: $0)." } ?? ""
        return "CREATE \(unique)INDEX \(guarded)\(database)\(name: name) ON \(name: table)(\(list))\(rows)"
    }
}

/// A column of an index or of a key. In an index it can also be an expression.
public struct IndexedColumn: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    public enum Term: Hashable, Codable, Sendable {
        case column(String)
        case expression(SQL)
    }

    public var term: Term
    public var collation: String?
    public var order: SortOrder?

    public init(_ term: Term, collation: String? = nil, order: SortOrder? = nil) {
        self.term = term
        self.collation = collation
        self.order = order
    }

    /// Creates an indexed column from a column name.
    public init(_ name: String, collation: String? = nil, order: SortOrder? = nil) {
        self.init(.column(name), collation: collation, order: order)
    }

    /// Creates an indexed column from a column name.
    public init(stringLiteral name: String) {
        self.init(.column(name))
    }

    /// An expression instead of a column, for indexes only: `.expression("lower(name)")`.
    public static func expression(_ sql: SQL, collation: String? = nil, order: SortOrder? = nil) -> IndexedColumn {
        IndexedColumn(.expression(sql), collation: collation, order: order)
    }

    /// The name of the column; `nil` for an expression.
    public var columnName: String? {
        if case .column(let name) = term { name } else { nil }
    }

    var sql: SQL {
        var result: SQL =
            switch term {
            case .column(let name): "\(name: name)"
            case .expression(let sql): sql.expression(named: "an expression of an index", isListed: true)
            }
        if let collation { result += " COLLATE \(name: collation)" }
        if let order { result += SQL(raw: " \(order.rawValue)") }
        return result
    }
}
