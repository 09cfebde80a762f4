import Squall
import SquallSQLite

/// Internal statements about single rows, each of which is prepared once. They bind and return SQLite's own values, so that no value
/// is converted.
final class RowStatements {
    private let connection: Connection
    private var statements: [String: OpaquePointer] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    deinit {
        for statement in statements.values { connection.finalize(statement) }
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: The SQL, with a `?` for each value.
    ///   - values: Values that live until the call returns.
    ///   - body: Called with the first row, if there is one.
    /// - Returns: The result of `body`; `nil` without a row.
    @discardableResult
    func run<Result>(
        _ sql: String, _ values: [OpaquePointer?], _ body: (_ row: OpaquePointer) throws -> Result
    ) throws -> Result? {
        try run(sql, body) { statement in
            for (index, value) in values.enumerated() { sqlite3_bind_value(statement, Int32(index + 1), value) }
        }
    }

    func run(_ sql: String, _ values: [OpaquePointer?]) throws { try run(sql, values) { _ in } }

    /// Runs a statement with values that Swift has.
    @discardableResult
    func run<Result>(
        _ sql: String, binding values: [BindingValue], _ body: (_ row: OpaquePointer) throws -> Result
    ) throws -> Result? {
        try run(sql, body) { try Self.bind(values, to: $0) }
    }

    private static func bind(_ values: [BindingValue], to statement: OpaquePointer) throws {
        var parameter = BindingDestination(parametersOf: statement)
        for value in values { try parameter.bindNext(value) }
    }

    /// Runs a statement until a closure returns `true` for a row.
    ///
    /// - Returns: Whether it did.
    func first(
        _ sql: String, binding values: [BindingValue], where isWanted: (_ row: OpaquePointer) throws -> Bool
    ) throws -> Bool {
        try run(sql) { statement in
            var code = SQLITE_ROW
            while code == SQLITE_ROW {
                if try isWanted(statement) { return true }
                code = sqlite3_step(statement)
            }
            guard code == SQLITE_DONE else { throw connection.error(code, sql: sql) }
            return false
        } bind: {
            try Self.bind(values, to: $0)
        } ?? false
    }

    private func run<Result>(
        _ sql: String, _ body: (OpaquePointer) throws -> Result, bind: (OpaquePointer) throws -> Void
    ) throws -> Result? {
        try connection.internally(isHidden: true) {
            let statement = try prepare(sql)
            defer {
                sqlite3_reset(statement)
                sqlite3_clear_bindings(statement)
            }
            try bind(statement)
            let code = sqlite3_step(statement)
            if code == SQLITE_ROW { return try body(statement) }
            guard code == SQLITE_DONE else { throw connection.error(code, sql: sql) }
            return nil
        }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        guard let handle = connection.handle else { throw connection.closedError() }
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw connection.error(code, sql: sql) }
        statements[sql] = statement
        return statement
    }
}

extension Changeset.Change {
    /// The values of the primary key, which no update changes.
    var key: [OpaquePointer?] {
        let values = operation == .insert ? new : old
        return keyColumns.map { values.value(at: $0) }
    }

    /// A copy of ``key`` that can be compared.
    var rowKey: RowKey {
        let values = operation == .insert ? new : old
        return RowKey(keyColumns.map { values[$0] ?? .null }, keyColumns.map { _ in true })
    }

    /// Returns the condition for the row of the change, with a parameter for each value of ``key``.
    func keyCondition(_ columnNames: [String], of table: String) -> SQL {
        // Not a term for each column, which would be a deep expression.
        let names = keyColumns.map { "\(name: table).\(name: columnNames[$0])" as SQL }.joined(separator: ", ")
        return "(\(names)) = (\(SQL.parameters(keyColumns.count)))"
    }
}

extension SQL {
    /// Parameters without values, for a statement that is bound by SQLite's functions.
    static func parameters(_ count: Int) -> SQL {
        SQL(raw: Array(repeating: "?", count: count).joined(separator: ", "))
    }
}
