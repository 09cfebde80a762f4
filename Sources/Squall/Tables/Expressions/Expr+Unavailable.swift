// Forms of Swift that have another name in SQL, or need a condition. The compiler tries an unavailable form only when no other fits,
// and then its message is the error at the place.

extension Expr {
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compute with numbers of one type, and join text by `.appending(…)`")
    @_disfavoredOverload
    public static func + <Other>(left: Expr, right: Other) -> Expr { left }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compute with numbers of one type")
    @_disfavoredOverload
    public static func - <Other>(left: Expr, right: Other) -> Expr<Int> { Expr<Int>(left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compute with numbers of one type")
    @_disfavoredOverload
    public static func * <Other>(left: Expr, right: Other) -> Expr<Int> { Expr<Int>(left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compute with numbers of one type")
    @_disfavoredOverload
    public static func / <Other>(left: Expr, right: Other) -> Expr<Int> { Expr<Int>(left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compute with integers of one type")
    @_disfavoredOverload
    public static func % <Other>(left: Expr, right: Other) -> Expr<Int> { Expr<Int>(left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `$0.column.set(to: $0.column + value)`")
    @_disfavoredOverload
    public static func += <Other>(left: Expr, right: Other) -> Assignment { left.set(sql: left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `$0.column.set(to: $0.column - value)`")
    @_disfavoredOverload
    public static func -= <Other>(left: Expr, right: Other) -> Assignment { left.set(sql: left.sql) }

    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "a column is never nil in Swift: for a value in place of NULL, write `.default(…)`"
    )
    @_disfavoredOverload
    public static func ?? <Other>(left: Expr, right: Other) -> Expr<Other> { Expr<Other>(left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "only a condition can be negated: for a column of Bool, write `.isFalse`")
    public static prefix func ! (operand: Expr) -> Condition { Condition(operand.sql) }
}

extension Expr where Value: StatementParameter, Value.ColumnBase == String {
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `.length`; `.count()` is the number of rows")
    public var count: Expr<Int?> { length }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `.hasPrefix(…)`")
    public func starts(with text: String) -> Condition { hasPrefix(text) }

    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "write `.contains(…)`, which is exact, or `.like(\"%…%\")`, without regard to ASCII case"
    )
    public func localizedStandardContains(_ text: String) -> Condition { contains(text) }
}

extension Sequence {
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `$0.column.in(values)`, and `.between(first, and: last)` for a range")
    @_disfavoredOverload
    public func contains<Value>(_ expression: Expr<Value>) -> Condition { Condition(expression.sql) }
}
