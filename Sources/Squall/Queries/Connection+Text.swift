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

// A value of a type that SQLite cannot store. The error would name the form that takes a list of parameters.

extension Connection {
    /// Explains the error of a statement with a parameter that is not a ``Binding``.
    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "a parameter needs a Binding: `extension Kind: Binding {}` is enough for raw values"
    )
    @_disfavoredOverload
    public func run(_ sql: SQL, _ parameters: Any...) throws {
        throw SQLiteError.unavailableError
    }

    /// Explains the error of a statement with a parameter that is not a ``Binding``.
    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "a parameter needs a Binding: `extension Kind: Binding {}` is enough for raw values"
    )
    @_disfavoredOverload
    public func prepare(_ sql: SQL, _ parameters: Any...) throws -> Statement {
        throw SQLiteError.unavailableError
    }

    /// Explains the error of a query with a parameter that is not a ``Binding``.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: """
            a parameter needs a Binding: `extension Kind: Binding {}` is enough for raw values; and rows become a value, an \
            ExpressibleByRow or a Decodable
            """
    )
    @_disfavoredOverload
    public func query<T>(_ sql: SQL, _ parameter: Any, _ others: Any...) throws -> T {
        throw SQLiteError.unavailableError
    }
}
