// Every verb gets its statement here: from the cache, with the values bound. It is returned when the closure has ended.

extension Connection {
    @inlinable
    func withStatement<Result, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Statement) throws -> Result
    ) throws -> Result {
        let entry = try borrow(sql)
        defer { self.return(entry) }
        if !sql.hasValues {
            try entry.statement.bind(repeat each parameters)
        } else {
            try refuseValues(beside: sql, given: packCount(repeat (each P).self))
            try entry.statement.bind(sql)
        }
        return try body(entry.statement)
    }

    @usableFromInline
    func withStatement<Result>(
        _ sql: SQL, _ list: some ParameterList, body: (Statement) throws -> Result
    ) throws -> Result {
        let values = list.listedValues
        try refuseValues(beside: sql, given: values.count)
        guard !sql.hasValues else { return try withStatement(sql, body: body) }
        let entry = try borrow(sql)
        defer { self.return(entry) }
        return try body(entry.statement.bind(values))
    }

    /// Throws for interpolated values with parameters beside them: their order is not known.
    @usableFromInline
    func refuseValues(beside sql: SQL, given count: Int) throws {
        guard count > 0, sql.hasValues else { return }
        throw SQLiteError.misuse(
            .mixedParameters, sql: sql.text,
            hint: "interpolate every value, or give every value as a parameter"
        )
    }
}
