// Records from SQL, by the names of the columns. Each verb has two forms, for two ways to give values to the parameters: one after
// the other, or as a list.

extension Connection {
    /// Runs SQL and returns its rows as records, by the names of the columns.
    ///
    ///     let users = try connection.all(
    ///         User.self, "SELECT * FROM users WHERE name GLOB \(pattern)")
    ///
    /// Columns are found exactly first, and then without case. They are read in the forms in which the table stores them. Columns that
    /// the table does not have are ignored. `INSERT …`, `UPDATE …` and `DELETE … RETURNING *` return records, too.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - sql: One statement, which comes from the cache. Values are interpolated, or given for its parameters.
    ///   - parameters: The values of the parameters, in order: one after the other, or as an array. A dictionary gives them by
    ///     name, with or without the prefix: `["id": 1]`.
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, before the statement is run, and for a value that does
    ///   not fit.
    public func all<Record: TableRecord>(
        _ type: Record.Type, _ sql: SQL, _ parameters: (any Bindable)??...
    ) throws -> [Record] {
        try table(Record.table).all(sql, parameters.flattened)
    }

    /// Runs SQL and returns its rows as records, with a list of values for the parameters.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, and for a value that does not fit.
    @_documentation(visibility: internal)
    public func all<Record: TableRecord>(
        _ type: Record.Type, _ sql: SQL, _ list: some ParameterList
    ) throws -> [Record] {
        try table(Record.table).all(sql, list)
    }

    /// Runs SQL and returns the first row as a record, by the names of the columns; `nil` when there is none.
    ///
    ///     let ada = try connection.first(
    ///         User.self, "SELECT * FROM users WHERE email = ?", "ada@example.org")
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, before the statement is run, and for a value that does
    ///   not fit.
    public func first<Record: TableRecord>(
        _ type: Record.Type, _ sql: SQL, _ parameters: (any Bindable)??...
    ) throws -> Record? {
        try table(Record.table).first(sql, parameters.flattened)
    }

    /// Runs SQL and returns the first row as a record, with a list of values for the parameters.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, and for a value that does not fit.
    @_documentation(visibility: internal)
    public func first<Record: TableRecord>(
        _ type: Record.Type, _ sql: SQL, _ list: some ParameterList
    ) throws -> Record? {
        try table(Record.table).first(sql, list)
    }
}

extension Connection.TableAccess {
    /// Runs SQL and returns its rows as records, by the names of the columns.
    ///
    ///     let found = try connection.table(points)
    ///         .all("SELECT * FROM points WHERE label = ?", label)
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, before the statement is run, and for a value that does
    ///   not fit.
    public func all(_ sql: SQL, _ parameters: (any Bindable)??...) throws -> [Record] {
        try all(sql, parameters.flattened)
    }

    /// Runs SQL and returns its rows as records, with a list of values for the parameters.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, and for a value that does not fit.
    @_documentation(visibility: internal)
    public func all(_ sql: SQL, _ list: some ParameterList) throws -> [Record] {
        try connection.withStatement(sql, list) { try $0.allByName(core.checked()) }
    }

    /// Runs SQL and returns the first row as a record, by the names of the columns; `nil` when there is none.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, before the statement is run, and for a value that does
    ///   not fit.
    public func first(_ sql: SQL, _ parameters: (any Bindable)??...) throws -> Record? {
        try first(sql, parameters.flattened)
    }

    /// Runs SQL and returns the first row as a record, with a list of values for the parameters.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, and for a value that does not fit.
    @_documentation(visibility: internal)
    public func first(_ sql: SQL, _ list: some ParameterList) throws -> Record? {
        try connection.withStatement(sql, list) { try $0.firstByName(core.checked()) }
    }
}

extension TableCore {
    /// Returns the table.
    ///
    /// - Throws: The error of a wrong declaration.
    func checked() throws -> TableCore {
        try check()
        return self
    }
}
