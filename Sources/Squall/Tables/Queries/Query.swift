/// A query on a table.
///
///     User.where { $0.age > 17 }.order { $0.name.ascending }.limit(20, offset: 40)
///
/// Its rows are the records of the table, unless it selects other values.
public struct Query<First: QuerySource>: Selection {
    let first: First
    var clauses: QueryClauses

    /// Adds a condition; with another one before it, both must hold: `WHERE … AND …`
    public func `where`(_ condition: (First) -> Condition) -> Self {
        changed { $0.add(condition(first)) }
    }

    /// Adds terms of the order: `ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (First) -> [Ordering]) -> Self {
        changed { $0.orderings += terms(first) }
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
    public func group<each Value>(_ terms: (First) -> (repeat Expr<each Value>)) -> Self {
        let terms = terms(first)
        return changed { clauses in repeat clauses.groups.append((each terms).operand) }
    }

    /// `HAVING …`
    public func having(_ condition: (First) -> Condition) -> Self {
        changed { $0.addHaving(condition(first)) }
    }

    /// The value of an expression.
    public func select<Value: ColumnValue>(_ expression: (First) -> Expr<Value>) -> Select<Value> {
        clauses.select(expression(first))
    }

    /// The values of several expressions, as a tuple.
    public func select<Value1: ColumnValue, Value2: ColumnValue, each Value: ColumnValue>(
        _ expressions: (First) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        selectAll(expressions)
    }

    /// (Swift 6.3.1 cannot take a tuple apart that is not one pack.)
    private func selectAll<each Value: ColumnValue>(
        _ expressions: (First) -> (repeat Expr<each Value>)
    ) -> Select<(repeat each Value)> {
        let expressions = expressions(first)
        return clauses.select(repeat each expressions)
    }

    /// The records of the table.
    public var select: Select<First.Output> {
        let first = first
        return Select(clauses.sql(selecting: first.selection)) { try first.output(from: $0, first: 0) }
    }

    private func changed(_ change: (inout QueryClauses) -> Void) -> Self {
        var query = self
        change(&query.clauses)
        return query
    }
}

extension Query {
    /// Adds a table of which each row is needed: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Columns<Record>) -> Condition
    ) -> JoinedQuery<First, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table of which each row is needed.
    public func join<T: RecordTable>(
        _ table: T, on condition: (First, Columns<T.Record>) -> Condition
    ) -> JoinedQuery<First, Columns<T.Record>> {
        let columns = Columns(core: table.core, alias: clauses.alias(for: table.core))
        var clauses = clauses
        clauses.join("JOIN", table.core, columns.alias, on: condition(first, columns))
        return JoinedQuery(first: first, second: columns, clauses: clauses)
    }

    /// Adds a table that may have no row for the others, in which case its columns are NULL: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery<First, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table that may have no row for the others, in which case its columns are NULL.
    public func leftJoin<T: RecordTable>(
        _ table: T, on condition: (First, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery<First, OptionalColumns<T.Record>> {
        let columns = OptionalColumns(core: table.core, alias: clauses.alias(for: table.core))
        var clauses = clauses
        clauses.join("LEFT JOIN", table.core, columns.alias, on: condition(first, columns))
        return JoinedQuery(first: first, second: columns, clauses: clauses)
    }
}
