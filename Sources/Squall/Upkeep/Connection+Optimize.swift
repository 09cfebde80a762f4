extension Connection {
    /// Updates the statistics by which SQLite chooses among indexes, for the tables where they are missing or old.
    ///
    ///     try connection.optimize()
    ///
    /// `PRAGMA "main".optimize` names the tables: those with an index that has no statistics, and those that have become ten times larger
    /// or smaller since they were analysed. Before SQLite 3.46, it names tables that are 25 times larger, and considers only those with an
    /// index of a column that is not unique. `ANALYZE "main"."cars"` then reads about 400 rows of each index, unless the program has set
    /// `PRAGMA analysis_limit`. All tables are analysed in one transaction, or in the one that is open. It also changes
    /// `PRAGMA schema_version`, by which other connections notice the statistics.
    ///
    /// With ``Configuration/autoOptimize``, Squall does this by itself. Otherwise, call it before the connection is closed, and after an
    /// index was added. For statistics of all rows, run `ANALYZE`.
    ///
    /// - Parameter name: The database: `main`, or the name of an attached one.
    /// - Returns: The statements that were run, such as `ANALYZE "main"."cars"`; empty if the statistics are up to date.
    /// - Throws: ``SQLiteError``; `SQLITE_READONLY` (8) in a database that was opened read-only and inside a read of a pool or a database;
    ///   `SQLITE_LOCKED` (6) in a function of a statement that writes; `SQLITE_BUSY` (5) when another connection writes for longer than
    ///   the busy timeout; `SQLITE_INTERRUPT` (9) after a deadline. No statistics are changed then.
    @discardableResult
    public func optimize(databaseNamed name: String = "main") throws -> [String] {
        let pragma = "PRAGMA optimize"
        if access == .returned { throw access.refusalError(of: .statement, sql: pragma) }
        if access == .reading {
            throw SQLiteError(.insideRead(.statement), code: .readOnly, sql: pragma).insideReadError
        }
        // With nothing to do, SQLite would not notice it.
        if readOnly {
            throw SQLiteError(code: ResultCode.readOnly.rawValue, message: "\(ResultCode.readOnly)", sql: pragma)
        }
        return try updateStatistics(of: name)
    }
}
