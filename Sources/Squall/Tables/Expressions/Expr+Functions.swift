// Functions and operators for values of every type.

extension Expr where Value: StatementParameter {
    /// `ifnull(a, ?)`: another value for NULL.
    public func `default`(_ value: Value.ColumnBase) -> Expr<Value.ColumnBase> {
        Expr<Value.ColumnBase>(atom: "ifnull(\(sql), \(bind(value)))", form: form)
    }

    /// `ifnull(a, b)`: another expression for NULL.
    public func `default`(_ other: Expr<Value.ColumnBase>) -> Expr<Value.ColumnBase> {
        Expr<Value.ColumnBase>(atom: "ifnull(\(fitting(other)))", form: form ?? other.form)
    }

    /// `coalesce(a, b, c)`: the first value that is not NULL; NULL if all are NULL
    public func coalesce(_ other: Expr, _ others: Expr...) -> Expr {
        Expr.call("coalesce", [self, other] + others)
    }

    /// `nullif(a, ?)`: NULL if the two are equal
    public func nullIf(_ value: Value.ColumnBase) -> Expr<Value.ColumnBase?> {
        Expr<Value.ColumnBase?>(atom: "nullif(\(sql), \(bind(value)))", form: form)
    }

    /// `nullif(a, b)`: NULL if the two are equal
    public func nullIf<Other: StatementParameter>(_ other: Expr<Other>) -> Expr<Value.ColumnBase?>
    where Other.ColumnBase == Value.ColumnBase {
        Expr<Value.ColumnBase?>(atom: "nullif(\(fitting(other)))", form: form)
    }

    /// `min(a, b)`: the least of several expressions; NULL if any is NULL
    public static func min(_ first: Expr, _ second: Expr, _ others: Expr...) -> Expr {
        call("min", [first, second] + others, isOrdered: true)
    }

    /// `max(a, b)`: the greatest of several expressions; NULL if any is NULL
    public static func max(_ first: Expr, _ second: Expr, _ others: Expr...) -> Expr {
        call("max", [first, second] + others, isOrdered: true)
    }

    /// `a`, as an expression whose type is optional
    public var optional: Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(copy: self) }

    /// `CAST(a AS TEXT)`. It converts the stored value, also of a column with a ``StorageForm``, so that SQL can compute with it.
    ///
    /// A type of several storage classes, such as `BindingValue`, has the stored value as it is: `+a`.
    public func cast<Other: ColumnReadable>(to type: Other.Type) -> Expr<Other?> {
        // An empty type would be NUMERIC.
        if Other.declaredType.isEmpty { return Expr<Other?>(atom: "(+\(operand))") }
        let sql: SQL = "CAST(\(sql) AS \(raw: Other.declaredType))"
        return Other.declaredType == Double.declaredType ? Expr<Other?>(real: sql) : Expr<Other?>(atom: sql)
    }

    /// `a COLLATE "NOCASE"`
    public func collate(_ name: String) -> Expr { Expr(atom: "\(operand) COLLATE \(name: name)", form: form) }

    /// `typeof(a)`
    public var storageClass: Expr<String> { Expr<String>(atom: "typeof(\(sql))") }
}

extension Expr where Value: StatementParameter {
    /// Returns a call with arguments that must be stored in the same form, which is that of the result.
    fileprivate static func call(_ name: String, _ arguments: [Expr], isOrdered: Bool = false) -> Expr {
        let known = arguments.first { $0.storedForm != .unknown }
        let list = arguments.map { isOrdered ? $0.ordered($0.sql) : $0.sql }
        var sql: SQL = "\(raw: name)(\(list.joined(separator: ", ")))"
        if let known { for argument in arguments { sql.check(known.storedForm, fits: argument.storedForm) } }
        return Expr(atom: sql, form: known?.form)
    }

    /// Returns two arguments of a function that must be stored in the same form.
    fileprivate func fitting<Other>(_ other: Expr<Other>) -> SQL {
        var sql = sql + ", " + other.sql
        sql.check(storedForm, fits: other.storedForm)
        return sql
    }
}
