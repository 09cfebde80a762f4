// An operator of two operands has forms for two expressions, and for an expression beside a value. `Expr+MixedNumbers.swift` has
// those for numbers of two types. Values are not expressions, so that the compiler has few overloads to choose from.

extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `a + b`
    public static func + (left: Expr, right: Expr) -> Expr { left.computed(" + ", right) }

    /// `a + b`; NULL if either is NULL
    public static func + <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase { left.computed(" + ", right) }

    /// `a + ?`
    public static func + (left: Expr, right: Value.ColumnBase) -> Expr {
        left.followed(" + ", by: left.bind(right))
    }

    /// `? + a`
    public static func + (left: Value.ColumnBase, right: Expr) -> Expr {
        Expr(operation: right.bind(left) + " + " + right.plainOperand)
    }

    /// `a - b`
    public static func - (left: Expr, right: Expr) -> Expr { left.computed(" - ", right) }

    /// `a - b`; NULL if either is NULL
    public static func - <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase { left.computed(" - ", right) }

    /// `a - ?`
    public static func - (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(operation: left.plainOperand + " - " + left.bind(right))
    }

    /// `? - a`
    public static func - (left: Value.ColumnBase, right: Expr) -> Expr {
        Expr(operation: right.bind(left) + " - " + right.plainOperand)
    }

    /// `a * b`
    public static func * (left: Expr, right: Expr) -> Expr { left.computed(" * ", right) }

    /// `a * b`; NULL if either is NULL
    public static func * <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase { left.computed(" * ", right) }

    /// `a * ?`
    public static func * (left: Expr, right: Value.ColumnBase) -> Expr {
        left.followed(" * ", by: left.bind(right))
    }

    /// `? * a`
    public static func * (left: Value.ColumnBase, right: Expr) -> Expr {
        Expr(operation: right.bind(left) + " * " + right.plainOperand)
    }

    /// `a / b` between integers, which drops the remainder; `a / CAST(b AS REAL)` between reals; NULL if either is NULL, and if `b` is
    /// 0
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase {
        if case .real = Value.ColumnBase.zero.bindingValue { return left.divided(byReal: right) }
        return left.computed(" / ", right)
    }

    /// `a / ?`; between integers, the remainder is dropped. A query that divides by 0 throws.
    public static func / (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(operation: left.plainOperand + " / " + left.bind(divisor: right))
    }

    /// `? / a`; between integers, the remainder is dropped; NULL if `a` is NULL or 0
    public static func / (left: Value.ColumnBase, right: Expr) -> Expr<Value.ColumnBase?> {
        Expr<Value.ColumnBase?>(operation: right.bind(left) + " / " + right.plainOperand)
    }

    /// `-a`
    public static prefix func - (operand: Expr) -> Expr { Expr(operation: "-" + operand.plainOperand) }

    /// `abs(a)`
    public var absoluteValue: Expr { Expr(atom: "abs(\(plain))") }

    /// `round(a, ?)`
    public func rounded(toDigits digits: Int = 0) -> Expr<Double?> {
        Expr<Double?>(atom: "round(\(plain), \(digits))")
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase: BinaryInteger {
    /// `a % ?`. A query that divides by 0 throws.
    public static func % (left: Expr, right: Value.ColumnBase) -> Expr { left.remainder(dividingBy: right) }

    /// `a % b`; NULL if either is NULL, and if `b` is 0
    public static func % <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase { left.remainder(dividingBy: right) }

    /// `a % ?`. A query that divides by 0 throws.
    public func remainder(dividingBy other: Value.ColumnBase) -> Expr {
        Expr(operation: plainOperand + " % " + bind(divisor: other))
    }

    /// `a % b`; NULL if either is NULL, and if `b` is 0
    public func remainder<Other: StatementParameter>(dividingBy other: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase { computed(" % ", other) }
}

extension Expr where Value: StatementParameter {
    /// Returns two operands with an operator of arithmetic between them.
    func computed<Other, Result>(_ sign: String, _ other: Expr<Other>) -> Expr<Result> {
        let operand = other.formless(other.operand)
        // A chain of these can be computed in parts.
        if sign == " + " || sign == " * " { return followed(sign, by: operand) }
        return Expr<Result>(operation: plainOperand + SQL(raw: sign) + operand)
    }

    /// `a / CAST(b AS REAL)`
    ///
    /// SQLite would drop the remainder if both values are INTEGER. Numbers that are real in Swift can be: in JSON, and in a column of
    /// another type than REAL.
    func divided<Other, Result>(byReal other: Expr<Other>) -> Expr<Result> {
        if case .real = other.kind { return computed(" / ", other) }
        return Expr<Result>(operation: "\(plainOperand) / CAST(\(other.formless(other.sql)) AS REAL)")
    }

    /// Returns a divisor as a parameter. In SQL, dividing by 0 gives NULL. The result type may not be optional, so the query throws.
    func bind(divisor: some Bindable & Numeric) -> SQL {
        var sql = bind(divisor)
        if divisor == .zero { sql.fail(SQLiteError(ExpressionProblem.divisionByZero)) }
        return sql
    }
}

// MARK: - Chains

extension Expr {
    /// Operands with an operator between them, of which further ones follow without parentheses.
    private init(_ sign: String, _ operands: OperandChain) {
        self.init(ExprParts("", .chain(sign, operands), form: nil))
    }

    /// Returns the operands of an operator that the expression is made of; `nil` for any other expression.
    private func operands(of sign: String) -> OperandChain? {
        if case .chain(sign, let operands) = kind { operands } else { nil }
    }
}

extension Expr where Value: StatementParameter {
    /// Returns the expression with an operand behind it. SQLite computes from the left, but for the parts of a chain of 256 operands.
    func followed<Result>(_ sign: String, by operand: SQL) -> Expr<Result> {
        var chain = operands(of: sign) ?? OperandChain(plainOperand)
        chain.append(sign, OperandChain(operand))
        return Expr<Result>(sign, chain)
    }

    /// Returns two texts as one.
    func concatenated<Other: StatementParameter, Result>(_ other: Expr<Other>) -> Expr<Result> {
        let sign = " || "
        var chain = operands(of: sign) ?? OperandChain(plainOperand)
        chain.append(sign, other.operands(of: sign) ?? OperandChain(other.plainOperand))
        return Expr<Result>(sign, chain)
    }
}
