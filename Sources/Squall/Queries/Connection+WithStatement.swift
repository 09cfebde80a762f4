// Every verb gets its statement here: from the cache, with the values bound. It is returned when the closure has ended.

extension Connection {
    @inlinable
    func withStatement<Result, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Statement) throws -> Result
    ) throws -> Result {
        let count = packCount(repeat (each P).self)
        guard sql.hasValues, count == 0 else {
            let entry = try borrow(sql, count: count)
            defer { self.return(entry) }
            var parameter = entry.firstParameter
            repeat try parameter.bindNext(each parameters)
            return try body(entry.statement)
        }
        let entry = try borrow(sql)
        defer { self.return(entry) }
        try entry.statement.bind(sql)
        return try body(entry.statement)
    }

    /// Borrows a statement, whose `count` parameters the caller must bind next.
    @usableFromInline
    func borrow(_ sql: SQL, count: Int) throws -> StatementCache.Entry {
        let entry = try borrow(sql)
        do {
            try refuseValues(beside: sql, given: count)
            try entry.beginBinding(count: count)
        } catch {
            self.return(entry)
            throw error
        }
        return entry
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

// Methods of the entry, so that its statement is not retained for each step.
extension StatementCache.Entry {
    fileprivate func beginBinding(count: Int) throws {
        try statement.beginBindingAfterReset(count: count)
    }

    /// Runs the statement. Rows that it returns are dropped.
    @usableFromInline
    func run() throws {
        try statement.run()
    }
}
