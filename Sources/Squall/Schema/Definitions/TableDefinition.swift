/// The definition of a table: its columns, constraints, options, indexes and triggers.
///
/// It comes from a declared `Table` or from the file (``Connection/tableInfo(_:in:)``), and can be written as SQL:
///
///     try connection.tableInfo("cars")?.sql
///     // CREATE TABLE "cars"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)
public struct TableDefinition: Hashable, Codable, Sendable {
    public var name: String
    public var columns: [ColumnDefinition]
    public var constraints: [TableConstraint]
    /// Whether SQLite enforces the column types: `STRICT`.
    public var isStrict: Bool
    /// Whether the primary key replaces the rowid: `WITHOUT ROWID`.
    public var isWithoutRowID: Bool
    public var indexes: [IndexDefinition]
    public var triggers: [TriggerDefinition]

    public init(
        name: String, columns: [ColumnDefinition] = [], constraints: [TableConstraint] = [],
        isStrict: Bool = false, isWithoutRowID: Bool = false, indexes: [IndexDefinition] = [],
        triggers: [TriggerDefinition] = []
    ) {
        self.name = name
        self.columns = columns
        self.constraints = constraints
        self.isStrict = isStrict
        self.isWithoutRowID = isWithoutRowID
        self.indexes = indexes
        self.triggers = triggers
    }

    /// The names of the primary key columns, in the order of the key.
    public var primaryKey: [String] {
        for constraint in constraints {
            if case .primaryKey(let columns, _) = constraint.kind { return columns.compactMap(\.columnName) }
        }
        return columns.filter { $0.primaryKey != nil }.map(\.name)
    }

    /// The column that is an alias of the rowid, if there is one: `INTEGER PRIMARY KEY`.
    public var rowIDColumn: String? {
        guard !isWithoutRowID, primaryKey.count == 1, let name = primaryKey.first,
            let column = columns.first(where: { $0.name.isSameName(as: name) }),
            column.type.isSameName(as: "INTEGER"), column.primaryKey?.order != .descending
        else { return nil }
        return column.name
    }
}

extension TableDefinition {
    /// The `CREATE TABLE "name"(…)` statement, without the indexes and triggers.
    public var sql: SQL { sql() }

    /// Returns the `CREATE TABLE "name"(…)` statement, without the indexes and triggers.
    ///
    /// - Parameters:
    ///   - name: A different name for the table.
    ///   - ifNotExists: Whether to add `IF NOT EXISTS`.
    public func sql(named name: String? = nil, ifNotExists: Bool = false) -> SQL {
        let table = name.map { $0.isSameName(as: self.name) } ?? true ? self : unqualified
        let parts = table.columns.map(\.sql) + table.constraints.map(\.sql)
        var options: [SQL] = []
        if isStrict { options.append("STRICT") }
        if isWithoutRowID { options.append("WITHOUT ROWID") }
        let head: SQL = ifNotExists ? "CREATE TABLE IF NOT EXISTS " : "CREATE TABLE "
        let end: SQL = options.isEmpty ? "" : " \(options.joined(separator: ", "))"
        return head + "\(name: name ?? self.name)(\(parts.joined(separator: ", ")))\(end)"
    }

    /// The table with its own name removed from column references in conditions, so that it can be renamed.
    private var unqualified: TableDefinition {
        var table = self
        table.columns = columns.map { $0.mapExpressions { $0.unqualified(by: name) } }
        for index in constraints.indices {
            guard case .check(let condition) = constraints[index].kind else { continue }
            table.constraints[index].kind = .check(condition.unqualified(by: name))
        }
        return table
    }
}
