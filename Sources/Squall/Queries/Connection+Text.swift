// A `String` is not SQL: what was interpolated into it is spliced before the library is called. These forms say so, and what
// to write. The compiler looks at an unavailable form only when nothing else fits, so a literal is always a `SQL`.

extension Connection {
    // The result is any type, so the form is ranked behind the one for a `SQL` whose result does not fit. It also explains that.

    /// Explains the error of a query whose SQL is a `String`, or whose result is not a type that rows become.
    @available(
        *, unavailable,
        message: """
            rows become a value (Int, String?, a Binding), an ExpressibleByRow, a Decodable, an Array of these, a Row? or [Row]; a \
            tuple needs its types: query(…, as: (String, Int).self); anything else a closure: query(…) { try $0.get(0) }; and \
            a String may splice: write a literal, `let sql: SQL = "…"`, or SQL(raw: text)
            """
    )
    @_disfavoredOverload
    public func query<T>(_ sql: some CustomStringConvertible, _ parameters: (any Bindable)??...) throws -> T {
        throw SQLiteError.unavailableError
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    @_disfavoredOverload
    public func query<T>(
        _ sql: some StringProtocol, _ parameters: (any Bindable)?..., all: Void = (),
        body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> [T] {
        throw SQLiteError.unavailableError
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func execute(_ sql: some StringProtocol) throws {
        throw SQLiteError.unavailableError
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func run(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws {
        throw SQLiteError.unavailableError
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func prepare(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> Statement {
        throw SQLiteError.unavailableError
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func forEach(_ sql: some StringProtocol, _ parameters: (any Bindable)?..., body: (Row) throws -> Void) throws
    {
        throw SQLiteError.unavailableError
    }
}
