// Values that a query computes from all its rows, or from those of a group. Each function has two results: the expression, and the
// ``AggregateFunction`` that has `over` and `filter`, which is disfavored.

/// An aggregate that can be given a window or a filter: `$0.price.sum().over(partition: $0.city)`.
///
/// The aggregates of ``Expr`` return it where one of its methods is called. It cannot be a value in a query.
public struct AggregateFunction<Value>: Sendable {
    let sql: SQL
    /// The form in which the result is stored, where it has one.
    let form: AnyStorageForm?

    init(_ expression: Expr<Value>) {
        self.init(expression.sql, form: expression.form)
    }

    private init(_ sql: SQL, form: AnyStorageForm?) {
        self.sql = sql
        self.form = form
    }

    /// `sum(a) OVER (PARTITION BY b ORDER BY c ROWS …)`. Without arguments, the window is all rows.
    public func over<each Term>(
        partition: repeat Expr<each Term>, order: Ordering..., frame: WindowFrame? = nil
    ) -> Expr<Value> {
        var terms: [SQL] = []
        repeat terms.append((each partition).operand)
        return Expr(atom: sql + SQL.over(terms, order, frame), form: form)
    }

    /// `sum(a) FILTER (WHERE b)`
    public func filter(where condition: Condition) -> Expr<Value> {
        Expr(atom: filtered(condition), form: form)
    }

    /// `sum(a) FILTER (WHERE b)`, to be followed by ``over(partition:order:frame:)``
    @_disfavoredOverload
    public func filter(where condition: Condition) -> AggregateFunction {
        AggregateFunction(filtered(condition), form: form)
    }

    private func filtered(_ condition: Condition) -> SQL { sql + " FILTER (WHERE " + condition.sql + ")" }
}

extension AggregateFunction<Int> {
    /// `count(*)`, to be followed by `over` or `filter`
    public static var rowCount: AggregateFunction<Int> { AggregateFunction(Expr.rowCount) }
}

extension Expr {
    /// `count(a)`: the number of values that are not NULL; `count(DISTINCT a)`: the number of different values.
    public func count(distinct: Bool = false) -> Expr<Int> {
        Expr<Int>(atom: distinct ? "count(DISTINCT \(sql))" : "count(\(sql))")
    }

    /// `count(a)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func count(distinct: Bool = false) -> AggregateFunction<Int> { AggregateFunction(count(distinct: distinct)) }
}

extension Expr where Value: StatementParameter {
    /// `min(a)`; NULL for no values
    public func min() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(atom: "min(\(ordered(sql)))", form: form) }

    /// `min(a)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func min() -> AggregateFunction<Value.ColumnBase?> { AggregateFunction(min()) }

    /// `max(a)`; NULL for no values
    public func max() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(atom: "max(\(ordered(sql)))", form: form) }

    /// `max(a)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func max() -> AggregateFunction<Value.ColumnBase?> { AggregateFunction(max()) }

    /// `group_concat(a, ?)`; NULL for no values
    public func groupConcat(separator: String = ",") -> Expr<String?> {
        Expr<String?>(atom: "group_concat(\(sql), \(separator))")
    }

    /// `group_concat(a, ?)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func groupConcat(separator: String = ",") -> AggregateFunction<String?> {
        AggregateFunction(groupConcat(separator: separator))
    }
}

extension Expr where Value: StatementParameter, Value.ColumnBase: Numeric {
    /// `sum(a)`; NULL for no values; a sum of integers that SQLite cannot hold is an error
    public func sum() -> Expr<Value.ColumnBase?> { Expr<Value.ColumnBase?>(atom: "sum(\(plain))") }

    /// `sum(a)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func sum() -> AggregateFunction<Value.ColumnBase?> { AggregateFunction(sum()) }

    /// `avg(a)`; NULL for no values
    public func average() -> Expr<Double?> { Expr<Double?>(real: "avg(\(plain))") }

    /// `avg(a)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func average() -> AggregateFunction<Double?> { AggregateFunction(average()) }

    /// `total(a)`; 0 for no values
    public func total() -> Expr<Double> { Expr<Double>(real: "total(\(plain))") }

    /// `total(a)`, as an ``AggregateFunction``
    @_disfavoredOverload
    public func total() -> AggregateFunction<Double> { AggregateFunction(total()) }
}
