/// A condition on the rows of a query: `$0.age > 17 && $0.name == "Ada"`.
///
/// It is not a `Bool`. A literal is SQL, in which columns and values can be interpolated:
///
///     { "\($0.name) COLLATE NOCASE = \(input)" }
public struct Condition: Sendable, ExpressibleByStringInterpolation {
    package enum Kind {
        case comparison, and, or, raw

        /// The operator between terms. Only conditions with AND and OR have several.
        fileprivate var word: String { self == .and ? " AND " : " OR " }
    }

    private(set) var kind: Kind
    private var terms: OperandChain

    /// SQL as a condition.
    public init(_ sql: SQL) {
        self.init(sql, .raw)
    }

    @_documentation(visibility: internal)
    public init(stringLiteral text: String) {
        self.init(SQL(stringLiteral: text))
    }

    @_documentation(visibility: internal)
    public init(stringInterpolation: SQL.StringInterpolation) {
        self.init(SQL(stringInterpolation: stringInterpolation))
    }

    package init(_ sql: SQL, _ kind: Kind) {
        self.kind = kind
        terms = OperandChain(sql)
    }

    public var sql: SQL { terms.sql(kind.word) }

    /// The SQL as an operand of AND and OR, in parentheses where it needs them.
    var operand: SQL { kind == .comparison ? sql : "(\(sql))" }

    private mutating func join(_ kind: Kind, _ other: Condition) {
        if self.kind == .comparison { self.kind = kind } else if self.kind != kind { self = Condition(operand, kind) }
        terms.append(kind.word, other.kind == kind ? other.terms : OperandChain(other.operand))
    }

    /// `a AND b`
    public static func && (left: consuming Condition, right: Condition) -> Condition {
        left.join(.and, right)
        return left
    }

    /// `a OR b`
    public static func || (left: consuming Condition, right: Condition) -> Condition {
        left.join(.or, right)
        return left
    }

    /// `NOT a`
    public static prefix func ! (condition: Condition) -> Condition {
        Condition("NOT (\(condition.sql))", .comparison)
    }
}
