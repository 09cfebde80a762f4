/// Computes the rows that a table has after a migration from those that it had before.
struct RowMigration {
    private enum Source {
        case old(Int)
        case expression
        case value(BindingValue)
    }

    private let old: SyncTable
    private let connection: Connection
    private let sources: [Source]
    /// The expressions of the new columns that have one.
    private let expressions: SQL?
    /// A database with a table whose columns have the affinities of the new ones.
    private let converter: Connection

    /// - Parameter columns: The expressions, over the old row, of columns of the new table.
    init(from old: SyncTable, to new: SyncTable, _ columns: [String: SQL], on connection: Connection) throws {
        self.old = old
        self.connection = connection
        let given = Dictionary(columns.map { (Identifier($0), $1) }) { first, _ in first }
        let names = new.columns.map(Identifier.init)
        if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
            throw SQLiteError(.sync(.unknownColumn(table: new.name, column: unknown.spelling)), code: .misuse)
        }
        let required = try connection.requiredColumns(of: new.name)
        sources = try names.enumerated().map { column, name in
            if given[name] != nil { return .expression }
            if let index = old.columns.firstIndex(where: { Identifier($0) == name }) { return .old(index) }
            let value = try new.defaultValue(at: column)
            if value == .null, required.contains(name) {
                throw SQLiteError(.sync(.unfilledColumn(table: new.name, column: name.spelling)), code: .misuse)
            }
            return .value(value)
        }
        let list = names.compactMap { given[$0] }
        expressions = list.isEmpty ? nil : list.map { "(\($0))" as SQL }.joined(separator: ", ")
        converter = try Connection()
        let types = new.affinities.enumerated().map { "c\(raw: "\($0)") \(raw: $1.typeName)" as SQL }
        try converter.run("CREATE TABLE t(\(types.joined(separator: ", ")))")
    }

    /// - Parameter row: A row as the old table had it, which may lack columns at its end.
    func migrate(_ row: [BindingValue]) throws -> [BindingValue] {
        let row = row + Array(repeating: .null, count: max(0, old.columns.count - row.count))
        var computed = try compute(row)[...]
        let values = sources.map { source -> BindingValue in
            switch source {
            case .old(let index): row[index]
            case .expression: computed.popFirst() ?? .null
            case .value(let value): value
            }
        }
        let list = values.map { "\($0)" as SQL }.joined(separator: ", ")
        try converter.run("INSERT INTO t VALUES(\(list))")
        defer { _ = try? converter.run("DELETE FROM t") }
        return try converter.query("SELECT * FROM t").map { $0.columns.map(\.bindingValue) } ?? values
    }

    private func compute(_ row: [BindingValue]) throws -> [BindingValue] {
        guard let expressions else { return [] }
        let values = zip(old.columns, row).map { "\($1) AS \(name: $0)" as SQL }.joined(separator: ", ")
        let found = try connection.query("SELECT \(expressions) FROM (SELECT \(values))")
        return found.map { $0.columns.map(\.bindingValue) } ?? []
    }
}

extension Connection {
    /// Returns the columns of a table of `main` that are NOT NULL or a part of the primary key.
    fileprivate func requiredColumns(of table: String) throws -> [Identifier] {
        let names: [String] = try query(
            "SELECT name FROM pragma_table_info(\(table), 'main') WHERE \"notnull\" OR pk")
        return names.map(Identifier.init)
    }
}
