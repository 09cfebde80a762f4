import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Runs a script: any number of statements, separated by semicolons. Rows that they return are dropped.
    ///
    ///     try connection.execute(
    ///         "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
    ///     try connection.execute(
    ///         "DELETE FROM cars; INSERT INTO cars(name) VALUES(\(first)), (\(second))")
    ///
    /// Interpolated values are bound, each in its own statement. The statements before one that fails have been run: put a
    /// script into a `transaction` to have all of it or nothing. For a value inside quotes or a comment, and a parameter
    /// beside interpolated values, nothing is run.
    ///
    /// - Throws: ``SQLiteError`` of the first statement that fails; `SQLITE_MISUSE` (21) for a value inside quotes or a
    ///   comment, for a parameter beside interpolated values, and for a parameter without a value.
    public func execute(_ sql: SQL) throws {
        try execute(sql, locatingFailures: false)
    }

    /// Runs a script.
    ///
    /// - Parameter locatingFailures: Whether an error at run time, for which SQLite reports no place, has the place of its statement.
    func execute(_ sql: SQL, locatingFailures: Bool) throws {
        if let failure = sql.failure { throw failure }
        let sql = fitted(sql)
        try sql.checkValueOffsets()
        let text = sql.text
        var script = Script(text)
        var parameters = sql.allParameters[...]
        try addModules(of: sql)
        // A hook may close the connection between two statements.
        var unprepared = script
        while let prepared = try prepareNext(&script, on: requireHandle(sql: text)) {
            let statement = Statement(connection: self, sql: text, prepared: prepared, isOwned: true)
            let share = parameters.prefix(statement.parameterCount)
            parameters = parameters.dropFirst(share.count)
            do {
                try statement.bind(contentsOf: Array(share))
                try statement.run()
            } catch let error as SQLiteError where locatingFailures && error.offset == nil && error.sql == text {
                _ = try unprepared.findNext()
                throw error.changed { $0.offset = unprepared.position }
            }
            unprepared = script
        }
        guard parameters.isEmpty else {
            let given = sql.parameters.count
            throw SQLiteError.misuse(
                .parameterCount(expected: given - parameters.count, given: given), sql: text
            )
        }
    }

    /// Runs a script from a file of UTF-8 text.
    ///
    ///     try connection.execute(contentsOf: URL(filePath: "schema.sql"))
    ///
    /// The whole file is read and checked first. The statements before one that fails have been run: put the call into a
    /// `transaction` to have all of them or none.
    ///
    /// - Throws: ``ScriptFileError`` for a file that cannot be read, is not valid UTF-8, or has a NUL character;
    ///   ``SQLiteError`` for a statement that fails.
    public func execute(contentsOf url: URL) throws {
        try execute(SQL(raw: ScriptFile(url).text))
    }
}
