import Squall

// The forms of `query` of a connection; see `Queries/Forms`.

extension StoreConnection {
    /// Runs a query and returns its values, or the records that its rows become. The type of the result says which: see
    /// `Connection.query(_:_:)`.
    ///
    ///     let count: Int = try await connection.query("SELECT count(*) FROM cars")
    ///     let cars: [Car] = try await connection.query(
    ///         "SELECT * FROM cars WHERE price > \(limit)")
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<Result: QueryResult & Sendable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) async throws -> Result {
        try await read(sql.giving(repeat each parameters), rows: QueriedRows(for: Result.self)) { try $0.query($1) }
    }

    /// Runs a query and returns the values or records of all rows: the form for a loop.
    ///
    ///     for name: String in try await connection.query("SELECT name FROM cars") {
    ///         print(name)
    ///     }
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<T: RowElement & Sendable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, of type: T.Type = T.self
    ) async throws -> [T] {
        try await read(sql.giving(repeat each parameters), rows: .all) { try $0.query($1) }
    }

    /// Runs a query and returns the first value, or `nil`: the form for a comparison with a literal.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    @_documentation(visibility: internal)
    public nonisolated(nonsending) func query<T: Fetchable & Sendable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, of type: T.Type = T.self
    ) async throws -> T? {
        try await read(sql.giving(repeat each parameters), rows: .first) { try $0.query($1) }
    }

    /// Runs a query with a list of values.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    @_documentation(visibility: internal)
    public nonisolated(nonsending) func query<Result: QueryResult & Sendable>(
        _ sql: SQL, _ list: some ParameterList
    ) async throws -> Result {
        try await read(sql.giving(list.listedValues), rows: QueriedRows(for: Result.self)) { try $0.query($1) }
    }

    /// Runs a query and returns the first row as a `Decodable` (`T` or `T?`), or all rows (`[T]` or `Set<T>`), by the names of
    /// the columns.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<T: Decodable & Sendable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) async throws -> T {
        try await read(sql.giving(repeat each parameters), rows: QueriedRows(for: T.self)) {
            try $0.query($1, as: T.self, userInfo: userInfo)
        }
    }

    /// Runs a query with a list of values, and decodes the first row or all rows.
    ///
    /// - Throws: `SQLiteError`, `ConversionError`, `CancellationError`, and the errors of the store.
    @_documentation(visibility: internal)
    public nonisolated(nonsending) func query<T: Decodable & Sendable>(
        _ sql: SQL, _ list: some ParameterList,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) async throws -> T {
        try await read(sql.giving(list.listedValues), rows: QueriedRows(for: T.self)) {
            try $0.query($1, as: T.self, userInfo: userInfo)
        }
    }

    /// Runs a query and returns the first row with its values, or `nil` when there is none.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) async throws -> sending Row? {
        // The row no longer refers to its statement, and the thread that has read it does not keep it.
        try await read(sql.giving(repeat each parameters), rows: .first) { UncheckedSendable(try $0.query($1) as Row?) }
            .value
    }

    /// Runs a query and returns all rows, each with its values.
    ///
    /// - Throws: `SQLiteError`, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, as type: Row.Type = Row.self
    ) async throws -> sending [Row] {
        // The rows no longer refer to their statement, and the thread that has read them does not keep them.
        try await read(sql.giving(repeat each parameters), rows: .all) { UncheckedSendable(try $0.query($1) as [Row]) }
            .value
    }

    /// Runs a query and returns the result of a closure for the first row, or `nil` when there is none.
    ///
    ///     let name = try await connection.query("SELECT name FROM cars") {
    ///         try $0.get("name") as String
    ///     }
    ///
    /// - Throws: `SQLiteError`, what the closure throws, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<T: Sendable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: @escaping @Sendable (Row) throws -> T
    ) async throws -> T? {
        try await read(sql.giving(repeat each parameters), rows: .first) { try $0.query($1, body: body) }
    }

    /// Runs a query and returns the results of a closure for all rows.
    ///
    /// - Throws: `SQLiteError`, what the closure throws, `CancellationError`, and the errors of the store.
    public nonisolated(nonsending) func query<T: Sendable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, as type: T.Type = T.self,
        body: @escaping @Sendable (Row) throws -> T
    ) async throws -> [T] {
        try await read(sql.giving(repeat each parameters), rows: .all) { try $0.query($1, body: body) }
    }

    /// Calls a closure with each row, some rows in memory at a time.
    ///
    ///     try await connection.forEach("SELECT * FROM cars") { row in print(row) }
    ///
    /// - Throws: `SQLiteError`, what the closure throws, which ends the query, `CancellationError`, and the errors of the
    ///   store.
    public nonisolated(nonsending) func forEach<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: @escaping @Sendable (Row) throws -> Void
    ) async throws {
        try await read(sql.giving(repeat each parameters), rows: .inParts) { try $0.forEach($1, body: body) }
    }

    nonisolated(nonsending) func read<Value: Sendable>(
        _ sql: SQL, rows: QueriedRows, _ body: @escaping @Sendable (Connection, SQL) throws -> Value
    ) async throws -> Value {
        do {
            guard rows == .all, let join = (Value.self as? any PartedRows.Type)?.join as? ([Value]) -> Value else {
                return try await runner.query(sql, rows: rows, body)
            }
            // The rows that have come are read while others are on their way.
            let parts = Locked<[Value]>([])
            try await runner.query(sql, rows: .inParts) {
                let part = try body($0, $1)
                parts.withLock { $0.append(part) }
            }
            return join(parts.withLock { $0 })
        } catch let error as ConversionError {
            // The rows may have been read from another query.
            throw error.with(sql: sql.text)
        }
    }
}

/// A result of all rows that can be made of results of some of them.
private protocol PartedRows {
    /// A function that makes the result, `([Self]) -> Self`.
    static var join: Any { get }
}

extension Array: PartedRows {
    fileprivate static var join: Any {
        let join: ([Self]) -> Self = { parts in
            var rows: Self = []
            rows.reserveCapacity(parts.reduce(0) { $0 + $1.count })
            for part in parts { rows.append(contentsOf: part) }
            return rows
        }
        return join
    }
}
