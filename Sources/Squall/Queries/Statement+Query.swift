// Every query runs the statement from its start and resets it afterwards, so that no lock and no old snapshot stays behind.
// `step()` and `row` walk through the rows.

extension Statement {
    /// Runs a closure between two resets of the statement.
    @inlinable
    @inline(__always)
    func fromStart<Result>(_ body: () throws -> Result) throws -> Result {
        try reset()
        defer { rewind() }
        return try body()
    }

    /// Runs the statement to its end. Rows that it returns are dropped.
    ///
    /// - Throws: ``SQLiteError``: the error of SQLite; `SQLITE_MISUSE` (21) before the parameters have values, and inside the
    ///   closure of a query of this statement; ``ResultCode/transactionLost`` after SQLite has ended the transaction.
    @inlinable
    @inline(__always)
    @discardableResult
    public func run() throws -> Statement {
        if hasNoColumns { try runWithoutRows() } else { try runToEnd() }
        return self
    }

    @usableFromInline
    func runToEnd() throws {
        if dropReturningRows() { return }
        if isCheckpoint {
            try allRows()
            return
        }
        let storage = try freshStorage()
        while try advance(storage) {}
    }

    /// Runs the statement and returns its values, or the records that its rows become: the first row as `T` or `T?`, all rows
    /// as `[T]`, `[T?]` or `Set<T>`, or the pairs of two columns as `[Key: Value]`.
    ///
    ///     let count: Int = try statement.bind(limit).query()
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit, and for `T` also without a row and for
    ///   NULL.
    @inlinable
    public func query<Result: QueryResult>() throws -> Result {
        try fromStart { try result() }
    }

    /// Returns the values of a statement that is reset before and after.
    @inlinable
    @inline(__always)
    func result<Result: QueryResult>() throws -> Result { try Result.result(of: QueryRows(self)) }

    /// Runs the statement and returns the first row as a `Decodable` (`T` or `T?`), or all rows (`[T]`), by the names of
    /// the columns.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for no row, a missing column, NULL, a value that does not fit, or JSON in
    ///   a column that does not decode.
    public func query<T: Decodable>(
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        // Generic code and `try?` come here with types that the other forms are for: those are read alike.
        if let shape = type as? any QueryResult.Type,
            let result = try fromStart({ try shape.result(of: QueryRows(self)) }) as? T
        {
            return result
        }
        if let shape = type as? any DecodableResult.Type,
            let result = try shape.result(of: self, userInfo: userInfo) as? T
        {
            return result
        }
        if type is any DictionaryShape.Type { throw notPairsError(expected: type) }
        guard let row: Row = try query() else { throw noRowError(expected: T.self) }
        return try row.decode(userInfo: userInfo)
    }

    /// Runs the statement and returns the first row, or the result of a closure for it; `nil` when there is none.
    ///
    ///     let row = try statement.query()
    ///     let name = try statement.query { try $0.get("name") as String }
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws.
    @inlinable
    public func query<T>(_ body: (Row) throws -> T = { (row: Row) -> Row in row }) throws -> T? {
        try fromStart {
            guard let row = try nextRow() else { return nil }
            return try body(row)
        }
    }

    /// Runs the statement and returns all rows, or the results of a closure for them.
    ///
    ///     for row in try statement.query() { print(row) }
    ///     let names: [String] = try statement.query { try $0.get("name") }
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @_disfavoredOverload  // Behind the form for the first row.
    @inlinable
    public func query<T>(_ body: (Row) throws -> T = { (row: Row) -> Row in row }) throws -> [T] {
        var elements: [T] = []
        try forEach { elements.append(try body($0)) }
        return elements
    }

    /// Runs the statement and calls a closure with each row, one at a time, in constant memory. A row that the closure keeps
    /// takes its values with it.
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @inlinable
    public func forEach(_ body: (Row) throws -> Void) throws {
        try reset()
        try forEachRow(body)
    }

    /// Runs the statement and calls a closure with each row, until the rows end or the closure sets its second
    /// parameter to `true`.
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @inlinable
    public func forEach(_ body: (Row, _ stop: inout Bool) throws -> Void) throws {
        try reset()
        try forEachRow(body)
    }
}

/// The shapes of a result beside a single `Decodable`. A parameter for them would make a call ambiguous where the values
/// are ``Fetchable`` as well.
private protocol DecodableResult {
    static func result(of statement: Statement, userInfo: [CodingUserInfoKey: any Sendable]) throws -> Self
}

extension Optional: DecodableResult where Wrapped: Decodable {
    static func result(of statement: Statement, userInfo: [CodingUserInfoKey: any Sendable]) throws -> Wrapped? {
        if Wrapped.self is any DecodableResult.Type { return try statement.query(as: Wrapped.self, userInfo: userInfo) }
        guard let row: Row = try statement.query() else { return nil }
        return try row.decode(userInfo: userInfo)
    }
}

extension Array: DecodableResult where Element: Decodable {
    static func result(of statement: Statement, userInfo: [CodingUserInfoKey: any Sendable]) throws -> [Element] {
        // Asked once, not for every row: most types are decoded by the names of their properties, by their own initialiser.
        let isRead = Element.self is any ColumnReadable.Type || Element.self is any Fetchable.Type
        guard userInfo.isEmpty, !isRead, !(Element.self is any DecodableOptional.Type) else {
            return try statement.query { try $0.decode(userInfo: userInfo) }
        }
        var elements: [Element] = []
        try statement.fromStart {
            try statement.forEachRow { elements.append(try RowDecoder(row: $0).make(Element.self)) }
        }
        return elements
    }
}

extension Set: DecodableResult where Element: Decodable {
    static func result(of statement: Statement, userInfo: [CodingUserInfoKey: any Sendable]) throws -> Set<Element> {
        Set(try [Element].result(of: statement, userInfo: userInfo))
    }
}

/// A dictionary, which as a `Decodable` would be the first row by the names of its columns.
private protocol DictionaryShape {}

extension Dictionary: DictionaryShape {}

extension Statement {
    @usableFromInline
    func noRowError<T>(expected type: T.Type) -> ConversionError {
        ConversionError(.noRow, expected: "\(type)", sql: sql)
    }

    private func notPairsError<T>(expected type: T.Type) -> SQLiteError {
        .misuse(
            .notMadeOfRows(type: "\(type)"), sql: sql, hint: pairsHint
        )
    }

    /// How else a dictionary is made.
    var pairsHint: String {
        "make the pairs with a closure: query(…) { (try $0.get(0), try $0.get(1)) }, or decode one row: row.decode()"
    }

    @usableFromInline
    func nullError<T>(expected type: T.Type) -> ConversionError {
        ConversionError(
            .null, expected: "\(type)", columnIndex: 0, columnName: columnNames.first, sql: sql
        )
    }
}
