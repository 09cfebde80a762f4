extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `a + b`
    public static func + <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" + ", right))
    }

    /// `a + ?`
    public static func + (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " + " + left.bind(right))
    }

    /// `a - b`
    public static func - <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" - ", right))
    }

    /// `a - ?`
    public static func - (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " - " + left.bind(right))
    }

    /// `a * b`
    public static func * <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" * ", right))
    }

    /// `a * ?`
    public static func * (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " * " + left.bind(right))
    }

    /// `a / b`; of integers, without the rest; NULL where `b` is 0
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" / ", right))
    }

    /// `a / ?`
    public static func / (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " / " + left.bind(right))
    }

    /// `a % ?`
    public func remainder(dividingBy other: Value.ColumnBase) -> Expr {
        Expr("\(operand) % \(bind(other))")
    }

    /// `abs(a)`
    public var absoluteValue: Expr { Expr(atom: "abs(\(sql))") }

    /// `round(a, ?)`
    public func rounded(toDigits digits: Int = 0) -> Expr<Double?> {
        Expr<Double?>(atom: "round(\(sql), \(digits))")
    }
}

extension Expr where Value: StatementParameter {
    /// `ifnull(a, ?)`: another value for NULL.
    public func `default`(_ value: Value.ColumnBase) -> Expr<Value.ColumnBase> {
        Expr<Value.ColumnBase>(atom: "ifnull(\(sql), \(bind(value)))", form: form)
    }

    /// `CAST(a AS TEXT)`
    public func cast<Other: ColumnReadable>(to type: Other.Type) -> Expr<Other?> {
        Expr<Other?>(atom: "CAST(\(sql) AS \(raw: SQLType.name(of: Other.self)))")
    }

    /// `a COLLATE "NOCASE"`
    public func collate(_ name: String) -> Expr { Expr(atom: "\(operand) COLLATE \(name: name)", form: form) }

    /// `typeof(a)`
    public var storageClass: Expr<String> { Expr<String>(atom: "typeof(\(sql))") }
}
