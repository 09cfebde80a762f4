// `query` for rows, which is also what it returns where nothing names a type: `let row = …` is the first one, `for row in …` all.
//
// With a literal `nil` or a list of values, rows are the results of a closure that is left out: see
// `Connection+QueryClosures.swift`.

extension Connection {
    /// Runs a query and returns the first row with its values, or `nil` when there is none.
    ///
    ///     let row = try connection.query("SELECT * FROM cars LIMIT 1")
    ///
    /// - Throws: ``SQLiteError``.
    @inlinable
    public func query<each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws -> sending Row? {
        // The row is detached when its statement is returned to the cache: nothing else refers to its values.
        nonisolated(unsafe) let row: Row? = try withStatement(sql, repeat each parameters) { try $0.query() }
        try row?.checkCopies()
        return row
    }

    /// Runs a query and returns all rows, each with its values.
    ///
    ///     for row in try connection.query("SELECT * FROM cars") { print(row) }
    ///
    /// All rows are in memory at once; ``forEach(_:_:body:)-(_,_,(Row)->Void)`` streams them.
    ///
    /// - Throws: ``SQLiteError``.
    @inlinable
    public func query<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, as type: Row.Type = Row.self
    ) throws -> sending [Row] {
        // The rows are detached when their statement is returned to the cache. The parameter `as` ranks this form behind the one for
        // the first row.
        nonisolated(unsafe) let rows: [Row] = try withStatement(sql, repeat each parameters) { try $0.query() }
        return rows
    }
}
