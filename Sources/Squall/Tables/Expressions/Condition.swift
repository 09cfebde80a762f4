/// A condition on the rows of a query: `$0.age > 17 && $0.name == "Ada"`.
///
/// It is not a `Bool`. A literal is SQL, in which columns and values can be interpolated:
///
///     { "\($0.name) COLLATE NOCASE = \(input)" }
public struct Condition: Sendable, ExpressibleByStringInterpolation {
    enum Kind {
        case comparison, and, or, raw
    }

    public let sql: SQL
    let kind: Kind

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

    init(_ sql: SQL, _ kind: Kind) {
        self.sql = sql
        self.kind = kind
    }

    /// The SQL as an operand of AND and OR, in parentheses where it needs them.
    var operand: SQL { kind == .comparison ? sql : "(\(sql))" }

    fileprivate func joined(_ word: SQL, _ other: Condition, _ kind: Kind) -> Condition {
        let left = self.kind == kind ? sql : operand
        let right = other.kind == kind ? other.sql : other.operand
        return Condition(left + word + right, kind)
    }

    /// `a AND b`
    public static func && (left: Condition, right: Condition) -> Condition {
        left.joined(" AND ", right, .and)
    }

    /// `a OR b`
    public static func || (left: Condition, right: Condition) -> Condition {
        left.joined(" OR ", right, .or)
    }

    /// `NOT a`
    public static prefix func ! (condition: Condition) -> Condition {
        Condition("NOT (\(condition.sql))", .comparison)
    }
}
