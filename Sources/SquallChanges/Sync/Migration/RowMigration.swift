import Squall
import SquallSQLite

/// Computes the rows that a table has after a migration from those that it had before.
struct RowMigration {
    private enum NewValue {
        case old(Int)
        case expression(SQL)
        case value(BindingValue)
    }

    private let old: SyncTable
    private let connection: Connection
    private let values: [NewValue]
    /// The values of the old columns in rows that lack them: their defaults, as far as the new table still has the columns.
    private let padding: [BindingValue]
    /// A database with a table whose columns have the affinities of the new ones.
    private let converter: Connection

    /// - Parameter columns: The expressions, over the old row, of columns of the new table.
    init(from old: SyncTable, to new: SyncTable, _ columns: [String: SQL], on connection: Connection) throws {
        self.old = old
        self.connection = connection
        let given = Dictionary(columns.map { (Identifier($0), $1) }) { first, _ in first }
        let names = new.columns.map(Identifier.init)
        if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
            throw SQLiteError(SyncProblem.unknownColumn(column: unknown.spelling), of: .table(new.name))
        }
        let required = try connection.requiredColumns(of: new.name)
        values = try names.enumerated().map { column, name in
            if let expression = given[name] {
                // A column that was added and renamed since the log was opened is new for it.
                guard let word = expression.soleName, old.position(word) == nil else {
                    return .expression(expression)
                }
            } else if let position = old.position(name) {
                return .old(position)
            }
            let value = try? new.defaultValue(at: column)
            guard let value, value != .null || !required.contains(name) else {
                throw SQLiteError(SyncProblem.unfilledColumn(column: name.spelling), of: .table(new.name))
            }
            return .value(value)
        }
        padding = old.columns.map { column in
            let renamed = given.first { $0.value.soleName == Identifier(column) }?.key
            let position = names.firstIndex(of: renamed ?? Identifier(column))
            return position.flatMap { try? new.defaultValue(at: $0) } ?? .null
        }
        converter = try Connection()
        let types = new.affinities.enumerated().map { "c\(raw: "\($0)") \(raw: $1.typeName)" as SQL }
        try converter.run("CREATE TABLE t(\(types.joined(separator: ", ")))")
    }

    /// - Parameters:
    ///   - row: A row as the old table had it, which may lack columns at its end.
    ///   - needed: The columns to compute, of which the others are NULL; `nil` for all.
    func migrate(_ row: [BindingValue], only needed: [Int]? = nil) throws -> [BindingValue] {
        let row = row + padding.dropFirst(row.count)
        let isNeeded = values.indices.map { needed?.contains($0) ?? true }
        var expressions: [SQL] = []
        for case (.expression(let sql), true) in zip(self.values, isNeeded) { expressions.append("(\(sql))") }
        var computed = try compute(expressions, row)[...]
        let values = zip(self.values, isNeeded).map { value, isNeeded -> BindingValue in
            switch value {
            case _ where !isNeeded: .null
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

    private func compute(_ expressions: [SQL], _ row: [BindingValue]) throws -> [BindingValue] {
        guard !expressions.isEmpty, let handle = connection.handle else { return [] }
        // A name in double quotes that no column has would be a text.
        let takesTexts = squall_option(handle, SQLITE_DBCONFIG_DQS_DML)
        squall_set_option(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        defer {
            if let handle = connection.handle { squall_set_option(handle, SQLITE_DBCONFIG_DQS_DML, takesTexts) }
        }
        let values = zip(old.columns, row).map { "\($1) AS \(name: $0)" as SQL }.joined(separator: ", ")
        let list = expressions.joined(separator: ", ")
        let found = try connection.query("SELECT \(list) FROM (SELECT \(values))")
        return found.map { $0.columns.map(\.bindingValue) } ?? []
    }
}

extension SQL {
    /// The name that an expression consists of; `nil` for another expression.
    var soleName: Identifier? {
        let tokens = SQLTokenizer.tokens(of: text)
        guard tokens.count == 1, tokens[0].kind == .word || tokens[0].kind == .name else { return nil }
        return Identifier(tokens[0].text)
    }
}

extension SyncTable {
    fileprivate func position(_ column: Identifier) -> Int? { columns.firstIndex { Identifier($0) == column } }
}

extension Connection {
    /// Returns the columns of a table of `main` that are NOT NULL or a part of the primary key.
    fileprivate func requiredColumns(of table: String) throws -> [Identifier] {
        try catalog().columns(ofTable: table)
            .filter { !$0.isGenerated && ($0.isNotNull || $0.isInPrimaryKey) }.map { Identifier($0.name) }
    }
}
