import SquallSQLite

/// The current row of a statement that the library runs for itself.
package struct InternalRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func bool(_ column: Int32) -> Bool { sqlite3_column_int(statement, column) != 0 }

    /// Returns the text of a column; empty for NULL.
    package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// Returns the text of a column; `nil` for NULL.
    func optionalText(_ column: Int32) -> String? {
        guard let text = sqlite3_column_text(statement, column) else { return nil }
        // A text can contain NUL.
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    package func value(_ column: Int32) -> BindingValue {
        sqlite3_column_value(statement, column).map { SQLiteValue($0).bindingValue } ?? .null
    }
}

extension Connection {
    /// Runs SQL internally, and calls a closure with each row. Authorizers, trace observers, the progress handler and the regions of
    /// observed values do not notice the statement.
    ///
    /// - Returns: `SQLITE_OK`, or the code of the error.
    func forEachRowInternally(
        _ sql: String, on handle: OpaquePointer, _ body: (InternalRow) -> Void
    ) -> Int32 {
        let isPreparing = callbacks.pointee.isPreparing
        callbacks.pointee.isPreparing = true
        defer { callbacks.pointee.isPreparing = isPreparing }
        return internally(isHidden: true) {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            var code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
            guard code == SQLITE_OK, let statement else { return code }
            code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                body(InternalRow(statement))
                code = sqlite3_step(statement)
            }
            return code == SQLITE_DONE ? SQLITE_OK : code
        }
    }

    /// Runs SQL internally, with its parameters as literals, and calls a closure with each row.
    ///
    /// - Parameter handle: The handle; `nil` for that of the connection, which it does not have inside a hook.
    package func forEachRowInternally(
        _ sql: SQL, on handle: OpaquePointer? = nil, _ body: (InternalRow) -> Void
    ) throws {
        if let failure = sql.failure { throw failure }
        guard let handle = handle ?? self.handle else { throw closedError() }
        let text = sql.withLiterals.text
        let code = forEachRowInternally(text, on: handle, body)
        if code != SQLITE_OK { throw failure(code, sql: text) }
    }
}
