/// A term of the order of a query: `$0.name.ascending`, `$0.age.descending.nullsLast`. A literal is SQL.
public struct Ordering: Sendable, ExpressibleByStringInterpolation {
    public let sql: SQL

    /// SQL as a term of the order.
    public init(_ sql: SQL) {
        self.sql = sql
    }

    @_documentation(visibility: internal)
    public init(stringLiteral text: String) {
        self.init(SQL(stringLiteral: text))
    }

    @_documentation(visibility: internal)
    public init(stringInterpolation: SQL.StringInterpolation) {
        self.init(SQL(stringInterpolation: stringInterpolation))
    }

    /// `… NULLS FIRST`
    public var nullsFirst: Ordering { Ordering(sql + " NULLS FIRST") }

    /// `… NULLS LAST`
    public var nullsLast: Ordering { Ordering(sql + " NULLS LAST") }
}

extension Expr where Value: StatementParameter {
    /// `a ASC`
    public var ascending: Ordering { Ordering(ordered(operand) + " ASC") }

    /// `a DESC`
    public var descending: Ordering { Ordering(ordered(operand) + " DESC") }
}

// A column with a form can have any type.
extension Expr {
    /// `a ASC`, of the stored values
    public var ascending: Ordering { Ordering(operand + " ASC") }

    /// `a DESC`, of the stored values
    public var descending: Ordering { Ordering(operand + " DESC") }
}
