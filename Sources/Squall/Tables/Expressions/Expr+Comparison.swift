#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Each operator has three forms: with another expression, and with a value on the right or on the left. SQLite compares numbers of
// all types exactly, so their expressions can be compared with one another. Values are not expressions, so that the compiler has few
// overloads to choose from. The unavailable forms are tried only when no other fits: they give the message.

extension Expr where Value: StatementParameter {
    /// `a = b`
    public static func == <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(left.combined(" = ", right), .comparison)
    }

    /// `a = ?`, and `a IS NULL` for `nil`
    public static func == (left: Expr, right: Value.ColumnBase?) -> Condition {
        guard let right else { return left.isNull }
        return left.comparison(" = ", right)
    }

    /// `a <> b`
    public static func != <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(left.combined(" <> ", right), .comparison)
    }

    /// `a <> ?`, which is not true for NULL; and `a IS NOT NULL` for `nil`
    public static func != (left: Expr, right: Value.ColumnBase?) -> Condition {
        guard let right else { return left.isNotNull }
        return left.comparison(" <> ", right)
    }

    /// `a IS b`, SQL's `IS NOT DISTINCT FROM`: equal, or both NULL
    public func isSame<Other: StatementParameter>(as other: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(combined(" IS ", other), .comparison)
    }

    /// `a IS ?`, which is false for NULL; and `a IS NULL` for `nil`
    public func isSame(as value: Value.ColumnBase?) -> Condition {
        guard let value else { return isNull }
        return comparison(" IS ", value)
    }

    /// `a < b`
    public static func < <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(left.ordered(" < ", right), .comparison)
    }

    /// `a < ?`
    public static func < (left: Expr, right: Value.ColumnBase) -> Condition {
        left.orderComparison(" < ", right)
    }

    /// `a <= b`
    public static func <= <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(left.ordered(" <= ", right), .comparison)
    }

    /// `a <= ?`
    public static func <= (left: Expr, right: Value.ColumnBase) -> Condition {
        left.orderComparison(" <= ", right)
    }

    /// `a > b`
    public static func > <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(left.ordered(" > ", right), .comparison)
    }

    /// `a > ?`
    public static func > (left: Expr, right: Value.ColumnBase) -> Condition {
        left.orderComparison(" > ", right)
    }

    /// `a >= b`
    public static func >= <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Condition
    where Other.ComparedType == Value.ComparedType {
        Condition(left.ordered(" >= ", right), .comparison)
    }

    /// `a >= ?`
    public static func >= (left: Expr, right: Value.ColumnBase) -> Condition {
        left.orderComparison(" >= ", right)
    }

    /// `a BETWEEN ? AND ?`
    public func between(_ first: Value.ColumnBase, and last: Value.ColumnBase) -> Condition {
        // Its AND is not an operator, but reads like one beside others.
        Condition("\(ordered(operand)) BETWEEN \(bind(first)) AND \(bind(last))", .raw)
    }

    /// `a IN (?, ?)`
    public func `in`(_ values: some Sequence<Value.ColumnBase>) -> Condition {
        guard form != nil else { return Condition("\(operand) IN \(in: values)", .comparison) }
        do {
            let encoded = try values.map { try form?.encode($0) ?? $0.checkedBindingValue() }
            return Condition("\(operand) IN \(in: encoded)", .comparison)
        } catch {
            var sql: SQL = "NULL"
            sql.fail(error)
            return Condition(sql)
        }
    }
}

extension Expr {
    /// `a IS NULL`
    ///
    /// In the form `json`, the text `null` is NULL too, as it is `nil` where it is read:
    /// `coalesce(trim(a, char(9, 10, 13, 32)), 'null') = 'null'`
    public var isNull: Condition {
        isJSON
            ? Condition("coalesce(trim(\(sql), char(9, 10, 13, 32)), 'null') = 'null'", .comparison)
            : Condition(operand + " IS NULL", .comparison)
    }

    /// Whether the values are JSON in TEXT.
    private var isJSON: Bool { form?.isJSON ?? false }

    /// `a IS NOT NULL`
    public var isNotNull: Condition {
        isJSON ? !isNull : Condition(operand + " IS NOT NULL", .comparison)
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase == Bool {
    /// The column itself as a condition.
    public var isTrue: Condition { Condition(plainOperand, .comparison) }

    /// `NOT a`
    public var isFalse: Condition { Condition("NOT \(plainOperand)", .raw) }
}

extension Expr where Value: StatementParameter, Value.ColumnBase == String {
    /// `a = ''`, which is not true for NULL
    public var isEmpty: Condition { Condition(formless(operand) + " = ''", .comparison) }

    /// `a LIKE ?`, without regard to ASCII case: `%` is any text, `_` any character.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, which is bound.
    ///   - escape: A character that makes a `%` or `_` after it stand for itself.
    public func like(_ pattern: String, escape: Character? = nil) -> Condition {
        let end: SQL = escape.map { " ESCAPE \(String($0))" } ?? ""
        return Condition("\(plainOperand) LIKE \(pattern)\(end)", .comparison)
    }

    /// `a GLOB ?`: `*` is any text, `?` any character, `[a-z]` one of these.
    public func glob(_ pattern: String) -> Condition {
        Condition("\(plainOperand) GLOB \(pattern)", .comparison)
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase == Data {
    /// `a = x''`, which is not true for NULL
    public var isEmpty: Condition { Condition(formless(operand) + " = x''", .comparison) }
}

extension Expr where Value: StatementParameter, Value.ColumnBase == [UInt8] {
    /// `a = x''`, which is not true for NULL
    public var isEmpty: Condition { Condition(formless(operand) + " = x''", .comparison) }
}

extension Expr {
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compare a column with a value or a column of the same type")
    @_disfavoredOverload
    public static func == <Other>(left: Expr, right: Other) -> Condition { Condition(left.sql) }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "compare a column with a value or a column of the same type")
    @_disfavoredOverload
    public static func != <Other>(left: Expr, right: Other) -> Condition { Condition(left.sql) }

    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "compare a column with a value or a column of the same type; the value is not optional"
    )
    @_disfavoredOverload
    public static func < <Other>(left: Expr, right: Other) -> Condition { Condition(left.sql) }

    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "compare a column with a value or a column of the same type; the value is not optional"
    )
    @_disfavoredOverload
    public static func <= <Other>(left: Expr, right: Other) -> Condition { Condition(left.sql) }

    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "compare a column with a value or a column of the same type; the value is not optional"
    )
    @_disfavoredOverload
    public static func > <Other>(left: Expr, right: Other) -> Condition { Condition(left.sql) }

    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "compare a column with a value or a column of the same type; the value is not optional"
    )
    @_disfavoredOverload
    public static func >= <Other>(left: Expr, right: Other) -> Condition { Condition(left.sql) }
}

// Comparisons whose value is on the left: `17 < $0.age`.

extension Expr where Value: StatementParameter {
    /// `? = a`
    public static func == (left: Value.ColumnBase, right: Expr) -> Condition { right.compared(" = ", left) }

    /// `? <> a`
    public static func != (left: Value.ColumnBase, right: Expr) -> Condition { right.compared(" <> ", left) }

    /// `? < a`
    public static func < (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" < ", left) }

    /// `? <= a`
    public static func <= (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" <= ", left) }

    /// `? > a`
    public static func > (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" > ", left) }

    /// `? >= a`
    public static func >= (left: Value.ColumnBase, right: Expr) -> Condition { right.ordered(" >= ", left) }

    private func ordered(_ sign: SQL, _ value: Value.ColumnBase) -> Condition {
        Condition(bind(value) + sign + ordered(operand), .comparison)
    }

    private func compared(_ sign: SQL, _ value: Value.ColumnBase) -> Condition {
        Condition(bind(value) + sign + operand, .comparison)
    }
}
