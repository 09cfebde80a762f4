/// A query on three tables. Its closures get the columns of all.
///
/// Its rows are triples of records (optional ones after a left join), unless it selects other values.
public struct JoinedQuery3<First: QuerySource, Second: QuerySource, Third: QuerySource>: Selection {
    let first: First
    let second: Second
    let third: Third
    var clauses: QueryClauses

    /// Adds a condition; with another one before it, both must hold: `WHERE … AND …`
    public func `where`(_ condition: (First, Second, Third) -> Condition) -> Self {
        changed { $0.add(condition(first, second, third)) }
    }

    /// Adds terms of the order: `ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (First, Second, Third) -> [Ordering]) -> Self {
        changed { $0.orderings += terms(first, second, third) }
    }

    /// `LIMIT ? OFFSET ?`
    public func limit(_ limit: Int, offset: Int? = nil) -> Self {
        changed {
            $0.limit = limit
            $0.offset = offset
        }
    }

    /// `SELECT DISTINCT …`
    public func distinct() -> Self {
        changed { $0.isDistinct = true }
    }

    /// `GROUP BY …`
    public func group<each Value>(_ terms: (First, Second, Third) -> (repeat Expr<each Value>)) -> Self {
        let terms = terms(first, second, third)
        return changed { clauses in repeat clauses.groups.append((each terms).operand) }
    }

    /// `HAVING …`
    public func having(_ condition: (First, Second, Third) -> Condition) -> Self {
        changed { $0.addHaving(condition(first, second, third)) }
    }

    /// The value of an expression.
    public func select<Value: ColumnValue>(_ expression: (First, Second, Third) -> Expr<Value>) -> Select<Value> {
        clauses.select(expression(first, second, third))
    }

    /// The values of several expressions, as a tuple.
    public func select<Value1: ColumnValue, Value2: ColumnValue, each Value: ColumnValue>(
        _ expressions: (First, Second, Third) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        selectAll(expressions)
    }

    /// (Swift 6.3.1 cannot take a tuple apart that is not one pack.)
    private func selectAll<each Value: ColumnValue>(
        _ expressions: (First, Second, Third) -> (repeat Expr<each Value>)
    ) -> Select<(repeat each Value)> {
        let expressions = expressions(first, second, third)
        return clauses.select(repeat each expressions)
    }

    /// The records of the tables.
    public var select: Select<(First.Output, Second.Output, Third.Output)> {
        let (first, second, third) = (first, second, third)
        let (start, next) = (first.selection.count, first.selection.count + second.selection.count)
        return Select(clauses.sql(selecting: first.selection + second.selection + third.selection)) { row in
            (
                try first.output(from: row, first: 0), try second.output(from: row, first: start),
                try third.output(from: row, first: next)
            )
        }
    }

    private func changed(_ change: (inout QueryClauses) -> Void) -> Self {
        var query = self
        change(&query.clauses)
        return query
    }
}
