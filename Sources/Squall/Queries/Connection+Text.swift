// A `String` is not SQL: what was interpolated into it is spliced before the library is called. One form for each shape of
// result says so, and what to write. The compiler looks at an unavailable form only when nothing else fits, so a literal is always a `SQL`.

extension Connection {
    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func query<T: Fetchable>(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> T {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func query<Result: QueryResult>(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws
        -> Result
    {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func query<T: Fetchable>(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> [T?] {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func query(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> Row? {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func query(_ sql: some StringProtocol, _ parameters: (any Bindable)?..., as type: Row.Type = Row.self) throws
        -> [Row]
    {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func query<T: Decodable>(
        _ sql: some StringProtocol, _ parameters: (any Bindable)?..., as type: T.Type = T.self
    ) throws -> T {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func execute(_ sql: some StringProtocol) throws {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func run(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func prepare(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> Statement {
        throw SQLiteError.textRefused
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func forEach(_ sql: some StringProtocol, _ parameters: (any Bindable)?..., body: (Row) throws -> Void) throws
    {
        throw SQLiteError.textRefused
    }
}
