// # Queries
//
// The verbs that run SQL on a connection: `run`, `execute`, `query`, `forEach`, `rows`, and helpers on table names.
//
//     try connection.run("INSERT INTO cars(name, price) VALUES(?, ?)", "Audi", 52_642)
//     let names: [String] = try connection.query("SELECT name FROM cars WHERE price < \(60_000)")
//     try connection.forEach("SELECT * FROM cars") { row in print(row) }
//     let id = try connection.insert(into: "cars", ["name": "Saab"])
//
// `Forms` has `query` by its results: values, rows, `Decodable` records, closures. `Tuples` reads rows as tuples,
// `Cursors` on demand. `Names` writes the SQL for a table by its name, and passes it to `run`.
//
// A query runs so:
// 1. A form calls `withStatement`, below, which borrows the statement from the cache and binds the values.
// 2. `Statement.result()` passes the statement to the type of the result (`QueryResult+Shapes.swift`).
// 3. That type steps the statement (`Statement+Step.swift`), and makes an element from each row.
// 4. `withStatement` returns the statement to the cache, reset and without values, also after an error.
//
// Invariants: Every verb except `execute` runs exactly one statement. Values are interpolated or given as parameters,
// never both. One caller at a time borrows a statement. A query inside a query of the same SQL therefore compiles a
// second one. A cursor keeps its statement until its rows end, it is released, or the closure of a pool has returned. A
// statement that writes and returns rows runs to its end before its first row is read. `execute` compiles each
// statement of a script after the one before has run, and caches none.

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
