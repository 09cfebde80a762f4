extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `a + b`
    public static func + <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" + ", right), isAtom: false)
    }

    /// `a + ?`
    public static func + (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " + " + left.bind(right), isAtom: false)
    }

    /// `a - b`
    public static func - <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" - ", right), isAtom: false)
    }

    /// `a - ?`
    public static func - (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " - " + left.bind(right), isAtom: false)
    }

    /// `a * b`
    public static func * <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" * ", right), isAtom: false)
    }

    /// `a * ?`
    public static func * (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " * " + left.bind(right), isAtom: false)
    }

    /// `a / b`; of integers, without the rest; NULL where `b` is 0
    public static func / <Other: StatementParameter>(left: Expr, right: Expr<Other>) -> Expr
    where Other.ColumnBase == Value.ColumnBase {
        Expr(left.combined(" / ", right), isAtom: false)
    }

    /// `a / ?`
    public static func / (left: Expr, right: Value.ColumnBase) -> Expr {
        Expr(left.operand + " / " + left.bind(right), isAtom: false)
    }

    /// `a % ?`
    public func remainder(dividingBy other: Value.ColumnBase) -> Expr {
        Expr("\(operand) % \(bind(other))", isAtom: false)
    }

    /// `abs(a)`
    public var absoluteValue: Expr { Expr("abs(\(sql))") }

    /// `round(a, ?)`
    public func rounded(toDigits digits: Int = 0) -> Expr<Double?> {
        Expr<Double?>("round(\(sql), \(digits))", isAtom: true)
    }
}

extension Expr where Value: StatementParameter {
    /// `ifnull(a, ?)`: another value for NULL.
    public func `default`(_ value: Value.ColumnBase) -> Expr<Value.ColumnBase> {
        Expr<Value.ColumnBase>("ifnull(\(sql), \(bind(value)))", form: form)
    }

    /// `CAST(a AS TEXT)`
    public func cast<Other: ColumnReadable>(to type: Other.Type) -> Expr<Other?> {
        Expr<Other?>("CAST(\(sql) AS \(raw: SQLType.name(of: Other.self)))", isAtom: true)
    }

    /// `a COLLATE "NOCASE"`
    public func collate(_ name: String) -> Expr { Expr("\(operand) COLLATE \(name: name)", form: form) }

    /// `typeof(a)`
    public var storageClass: Expr<String> { Expr<String>("typeof(\(sql))", isAtom: true) }
}
