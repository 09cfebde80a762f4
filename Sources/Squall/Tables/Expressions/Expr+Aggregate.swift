// Values that a query computes from all its rows, or from those of a group.

extension Expr {
    /// `count(a)`: the number of values that are not NULL; `count(DISTINCT a)`: the number of different values.
    public func count(distinct: Bool = false) -> Expr<Int> {
        Expr<Int>(atom: distinct ? "count(DISTINCT \(sql))" : "count(\(sql))")
    }
}

extension Expr where Value: StatementParameter {
    /// `min(a)`; NULL for no values
    public func min() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(atom: "min(\(sql))", form: form) }

    /// `max(a)`; NULL for no values
    public func max() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(atom: "max(\(sql))", form: form) }

    /// `group_concat(a, ?)`; NULL for no values
    public func groupConcat(separator: String = ",") -> Expr<String?> {
        Expr<String?>(atom: "group_concat(\(sql), \(separator))")
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `sum(a)`; NULL for no values; a sum of integers that SQLite cannot hold is an error
    public func sum() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(atom: "sum(\(sql))") }

    /// `avg(a)`; NULL for no values
    public func average() -> Expr<Double?> { Expr<Double?>(atom: "avg(\(sql))") }

    /// `total(a)`; 0 for no values
    public func total() -> Expr<Double> { Expr<Double>(atom: "total(\(sql))") }
}
