extension Connection {
    /// Opens the bytes of one value, and closes them when the closure has returned.
    ///
    ///     try connection.withBlob(in: "files", column: "body", row: id) { blob in
    ///         for row in others {
    ///             try blob.move(to: row)
    ///             try blob.read(into: &header, at: 0)
    ///         }
    ///     }
    ///     try connection.withBlob(in: "files", column: "body", row: id, mode: .readWrite) {
    ///         try $0.write(bytes.span, at: offset)
    ///     }
    ///
    /// The value must be a BLOB or a TEXT, which is read in the encoding of the database, in a table with rowids and without generated
    /// columns. SQL is not run. Neither the authorizer nor an update hook is called, a pre-update hook is, and triggers and CHECK
    /// constraints do not see what is written. Therefore a column is not opened for writing from which triggers keep a search table or
    /// an R*Tree in step.
    ///
    /// Until the closure returns, the connection has a read transaction, or a write transaction if it writes. Outside `transaction` and
    /// `savepoint`, what was written is committed then, also if the closure throws.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - column: The name of the column.
    ///   - row: The rowid of the row.
    ///   - database: The database of the table: `main`, `temp`, or the name of an attached one.
    ///   - mode: Whether the value can be written.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: ``SQLiteError``, with a ``BlobProblem``, for a value that cannot be opened so;
    ///   `SQLITE_READONLY` (8) for writing in a read and in a database that is read-only; the error of the closure; the error of the commit.
    public func withBlob<Result>(
        in table: String, column: String, row: Int64, database: String = "main", mode: Blob.Mode = .readOnly,
        _ body: (borrowing Blob) throws -> Result
    ) throws -> Result {
        let place = BlobPlace(database: database, table: table, column: column, row: row)
        let value = try OpenValue(place, mode: mode, on: self)
        let result: Result
        do {
            result = try body(Blob(value))
        } catch {
            // The error of the closure is the first one.
            try? value.closeAndCommit()
            throw error
        }
        try value.closeAndCommit()
        return result
    }
}
