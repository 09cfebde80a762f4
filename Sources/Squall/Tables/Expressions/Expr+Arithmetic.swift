extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `a + b`
    public static func + (left: Expr, right: Expr) -> Expr {
        Expr(operation: left.combined(" + ", right))
    }

    /// `a + b`; NULL if either is NULL
    public static func + <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase {
        Expr<Value.ColumnBase?>(operation: left.combined(" + ", right))
    }

    /// `a + ?`
    public static func + (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(operation: left.operand + " + " + left.bind(right))
    }

    /// `a - b`
    public static func - (left: Expr, right: Expr) -> Expr {
        Expr(operation: left.combined(" - ", right))
    }

    /// `a - b`; NULL if either is NULL
    public static func - <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase {
        Expr<Value.ColumnBase?>(operation: left.combined(" - ", right))
    }

    /// `a - ?`
    public static func - (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(operation: left.operand + " - " + left.bind(right))
    }

    /// `a * b`
    public static func * (left: Expr, right: Expr) -> Expr {
        Expr(operation: left.combined(" * ", right))
    }

    /// `a * b`; NULL if either is NULL
    public static func * <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase {
        Expr<Value.ColumnBase?>(operation: left.combined(" * ", right))
    }

    /// `a * ?`
    public static func * (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(operation: left.operand + " * " + left.bind(right))
    }

    /// `a / b`; between integers, the remainder is dropped; NULL if either is NULL, and if `b` is 0
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase {
        Expr<Value.ColumnBase?>(operation: left.combined(" / ", right))
    }

    /// `a / ?`; between integers, the remainder is dropped. A query that divides by 0 throws.
    public static func / (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(operation: left.operand + " / " + left.bind(divisor: right))
    }

    /// Returns a divisor as a parameter. In SQL, dividing by 0 gives NULL. The result type may not be optional, so the query throws.
    fileprivate func bind(divisor: Value.ColumnBase) -> SQL {
        var sql = bind(divisor)
        if divisor == .zero { sql.fail(SQLiteError.misuse(.divisionByZero)) }
        return sql
    }

    /// `abs(a)`
    public var absoluteValue: Expr { Expr(atom: "abs(\(sql))") }

    /// `round(a, ?)`
    public func rounded(toDigits digits: Int = 0) -> Expr<Double?> {
        Expr<Double?>(atom: "round(\(sql), \(digits))")
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase: BinaryInteger {
    /// `a % ?`. A query that divides by 0 throws.
    public func remainder(dividingBy other: Value.ColumnBase) -> Expr {
        Expr(operation: "\(operand) % \(bind(divisor: other))")
    }
}

extension Expr where Value: StatementParameter {
    /// `ifnull(a, ?)`: another value for NULL.
    public func `default`(_ value: Value.ColumnBase) -> Expr<Value.ColumnBase> {
        Expr<Value.ColumnBase>(atom: "ifnull(\(sql), \(bind(value)))", form: form)
    }

    /// `CAST(a AS TEXT)`
    public func cast<Other: ColumnReadable>(to type: Other.Type) -> Expr<Other?> {
        Expr<Other?>(atom: "CAST(\(sql) AS \(raw: Other.declaredType))")
    }

    /// `a COLLATE "NOCASE"`
    public func collate(_ name: String) -> Expr { Expr(atom: "\(operand) COLLATE \(name: name)", form: form) }

    /// `typeof(a)`
    public var storageClass: Expr<String> { Expr<String>(atom: "typeof(\(sql))") }
}
