// What a query computes from all its rows, or from those of a group.

extension Expr {
    /// `count(a)`: how many are not NULL; `count(DISTINCT a)`: how many different ones.
    public func count(distinct: Bool = false) -> Expr<Int> {
        Expr<Int>(distinct ? "count(DISTINCT \(sql))" : "count(\(sql))", isAtom: true)
    }
}

extension Expr where Value: StatementParameter {
    /// `min(a)`; NULL for no values
    public func min() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>("min(\(sql))", form: form) }

    /// `max(a)`; NULL for no values
    public func max() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>("max(\(sql))", form: form) }

    /// `group_concat(a, ?)`; NULL for no values
    public func groupConcat(separator: String = ",") -> Expr<String?> {
        Expr<String?>("group_concat(\(sql), \(separator))", isAtom: true)
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `sum(a)`; NULL for no values; a sum of integers that SQLite cannot hold is an error
    public func sum() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>("sum(\(sql))", isAtom: true) }

    /// `avg(a)`; NULL for no values
    public func average() -> Expr<Double?> { Expr<Double?>("avg(\(sql))", isAtom: true) }

    /// `total(a)`; 0 for no values
    public func total() -> Expr<Double> { Expr<Double>("total(\(sql))", isAtom: true) }
}
