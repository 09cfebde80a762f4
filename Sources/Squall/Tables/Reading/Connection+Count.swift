extension Connection {
    /// Returns the number of rows of a query: `SELECT count(*) FROM (…)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func count(_ query: some Selection) throws -> Int {
        try self.query("SELECT count(*) FROM (\(query.sql))")
    }

    /// Returns the number of records, or of those that meet a condition: `SELECT count(*) FROM "users" WHERE …`.
    ///
    ///     let n = try connection.count(User.self) { $0.email == nil }
    ///
    /// - Throws: ``SQLiteError``.
    public func count<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Int {
        try table(Record.table).count(where: condition)
    }

    /// Returns whether a query has a row: `SELECT EXISTS (…)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func exists(_ query: some Selection) throws -> Bool {
        try self.query("SELECT EXISTS (\(query.sql))")
    }

    /// Returns whether there is a record, or one that meets a condition: `SELECT EXISTS (SELECT 1 FROM "users" WHERE …)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func exists<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Bool {
        try table(Record.table).exists(where: condition)
    }
}

extension Connection.TableAccess {
    /// Returns the number of records, or of those that meet a condition: `SELECT count(*) FROM "points" WHERE …`.
    ///
    /// - Throws: ``SQLiteError``.
    public func count(where condition: ((Columns<Record>) -> Condition)? = nil) throws -> Int {
        try connection.query(core.aggregate("count(*)", condition))
    }

    /// Returns whether there is a record, or one that meets a condition: `SELECT EXISTS (SELECT 1 FROM "points" WHERE …)`.
    ///
    /// - Throws: ``SQLiteError``.
    public func exists(where condition: ((Columns<Record>) -> Condition)? = nil) throws -> Bool {
        try connection.query("SELECT EXISTS (\(core.aggregate("1", condition)))")
    }
}

extension TableCore {
    /// Returns `SELECT max("users"."age") FROM "users" WHERE …`
    package func aggregate(_ expression: SQL, _ condition: ((Columns<Record>) -> Condition)?) throws -> SQL {
        try check()
        let rows: SQL = condition.map { " WHERE \(inScope($0).sql)" } ?? ""
        return "SELECT \(expression) FROM \(name: name)\(rows)"
    }
}
