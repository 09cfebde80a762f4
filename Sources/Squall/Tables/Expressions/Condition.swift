/// A condition on the rows of a query: `$0.age > 17 && $0.name == "Ada"`.
///
/// It is not a `Bool`. A literal is SQL, in which columns and values can be interpolated:
///
///     { "\($0.name) COLLATE NOCASE = \(input)" }
public struct Condition: Sendable, ExpressibleByStringInterpolation {
    enum Kind {
        case comparison, and, or, raw

        /// The operator between terms. Only conditions with AND and OR have several.
        fileprivate var word: String { self == .and ? " AND " : " OR " }
    }

    private(set) var kind: Kind
    /// The SQL, or its first part where an operator joins many terms.
    private var first: ConditionPart
    /// The further parts. Each has fewer terms than the part before it, so that there are few.
    private var others: [ConditionPart] = []

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
        self.kind = kind
        first = ConditionPart(sql: sql, count: 1)
    }

    public var sql: SQL {
        others.isEmpty ? first.sql : others.reduce(into: first) { $0.append(kind.word, $1) }.sql
    }

    /// The SQL as an operand of AND and OR, in parentheses where it needs them.
    var operand: SQL { kind == .comparison ? sql : "(\(sql))" }

    private mutating func join(_ kind: Kind, _ other: Condition) {
        if self.kind == .comparison { self.kind = kind } else if self.kind != kind { self = Condition(operand, kind) }
        if other.kind == kind {
            append(other.first)
            for part in other.others { append(part) }
        } else {
            append(ConditionPart(sql: other.operand, count: 1))
        }
    }

    /// Appends terms. They are joined with the parts before them that do not have more terms: joining them with all terms would copy
    /// the whole SQL for each operator.
    private mutating func append(_ part: ConditionPart) {
        var part = part
        while var last = others.last, last.count <= part.count {
            others.removeLast()
            last.append(kind.word, part)
            part = last
        }
        if others.isEmpty, first.count <= part.count {
            first.append(kind.word, part)
        } else {
            others.append(part)
        }
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

/// Terms of a condition, with an operator between them.
private struct ConditionPart: Sendable {
    var sql: SQL
    /// The number of terms.
    var count: Int

    /// The SQL as an operand. Many terms are in parentheses: SQLite limits the depth of an expression, 1,000 by default, and a chain
    /// is as deep as it has terms.
    private var operand: SQL { count < 256 ? sql : "(\(sql))" }

    mutating func append(_ word: String, _ other: ConditionPart) {
        if count >= 256 { sql = operand }
        sql.append(word)
        sql += other.operand
        count += other.count
    }
}
