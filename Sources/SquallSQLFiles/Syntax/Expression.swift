import Squall

/// An expression of SQL.
indirect enum Expression: Sendable {
    case integer(String)
    case real(String)
    case text(String)
    case blob
    case null
    case bool(Bool)
    /// `CURRENT_TIMESTAMP`, `CURRENT_DATE` or `CURRENT_TIME`.
    case currentTime
    /// A parameter with its prefix.
    case parameter(String)
    /// A column, with the name of its table if there is one.
    case column(table: Identifier?, Identifier, offset: Int)
    case unary(String, Expression)
    /// An operator of arithmetic, of bits, `||`, or a comparison.
    case binary(String, Expression, Expression)
    case and(Expression, Expression)
    case or(Expression, Expression)
    case not(Expression)
    /// `x IS y`, also in the form `IS NOT DISTINCT FROM`.
    case equal(Expression, Expression, isNegated: Bool)
    case isNull(Expression, isNegated: Bool)
    case between(Expression, Expression, Expression)
    /// `LIKE`, `GLOB`, `REGEXP` or `MATCH`.
    case like(String, Expression, pattern: Expression, escape: Expression?)
    case inList(Expression, [Expression])
    /// `x IN (:ids...)`.
    case inParameter(Expression, String)
    case inSelect(Expression, Select)
    /// `x IN table`, or `x IN function(…)`.
    case inTable(Expression)
    case exists(Select)
    case subquery(Select)
    case cast(Expression, type: String)
    case collate(Expression)
    case function(FunctionCall)
    case cases(base: Expression?, [Case], otherwise: Expression?)
    /// A row value: `(a, b)`.
    case row([Expression])
    /// `RAISE(…)`, in triggers.
    case raise

    struct Case: Sendable {
        let condition: Expression
        let result: Expression
    }
}

/// A call of a function.
struct FunctionCall: Sendable {
    /// The window of a call.
    enum Window: Sendable {
        /// `OVER name`.
        case named(Identifier)
        /// `OVER (…)`.
        case defined(WindowDefinition)
    }

    let name: Identifier
    let arguments: [Expression]
    /// Whether the argument is `*`.
    let isStar: Bool
    let filter: Expression?
    let window: Window?
}

/// The definition of a window.
struct WindowDefinition: Sendable {
    /// The name of the window that this one extends.
    let base: Identifier?
    /// The expressions by which rows are partitioned and ordered.
    let expressions: [Expression]
    /// Whether there is a frame other than the default one, which contains the current row.
    let hasFrame: Bool
}
