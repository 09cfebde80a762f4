/// A query on two tables. Its closures get the columns of both.
///
///     User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) }
///     // SELECT "users"."name", "posts"."title" FROM "users" JOIN "posts" ON "users"."id" = "posts"."author"
///
/// Its rows are pairs of records (the second one optional after a left join), unless it selects other values.
public struct JoinedQuery<First: QuerySource, Second: QuerySource>: Selection {
    let first: First
    let second: Second
    var clauses: QueryClauses

    /// Adds a condition; with another one before it, both must hold: `WHERE … AND …`
    public func `where`(_ condition: (First, Second) -> Condition) -> Self {
        changed { $0.add(condition(first, second)) }
    }

    /// Adds terms of the order: `ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (First, Second) -> [Ordering]) -> Self {
        changed { $0.orderings += terms(first, second) }
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
    public func group<each Value>(_ terms: (First, Second) -> (repeat Expr<each Value>)) -> Self {
        let terms = terms(first, second)
        return changed { clauses in repeat clauses.groups.append((each terms).operand) }
    }

    /// `HAVING …`
    public func having(_ condition: (First, Second) -> Condition) -> Self {
        changed { $0.addHaving(condition(first, second)) }
    }

    /// The value of an expression.
    public func select<Value: ColumnValue>(_ expression: (First, Second) -> Expr<Value>) -> Select<Value> {
        clauses.select(expression(first, second))
    }

    /// The values of several expressions, as a tuple.
    public func select<Value1: ColumnValue, Value2: ColumnValue, each Value: ColumnValue>(
        _ expressions: (First, Second) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        selectAll(expressions)
    }

    /// (Swift 6.3.1 cannot take a tuple apart that is not one pack.)
    private func selectAll<each Value: ColumnValue>(
        _ expressions: (First, Second) -> (repeat Expr<each Value>)
    ) -> Select<(repeat each Value)> {
        let expressions = expressions(first, second)
        return clauses.select(repeat each expressions)
    }

    /// The records of both tables.
    public var select: Select<(First.Output, Second.Output)> {
        let (first, second, start) = (first, second, first.selection.count)
        return Select(clauses.sql(selecting: first.selection + second.selection)) { row in
            (try first.output(from: row, first: 0), try second.output(from: row, first: start))
        }
    }

    private func changed(_ change: (inout QueryClauses) -> Void) -> Self {
        var query = self
        change(&query.clauses)
        return query
    }
}

extension JoinedQuery {
    /// Adds a table of which each row is needed: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Second, Columns<Record>) -> Condition
    ) -> JoinedQuery3<First, Second, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table of which each row is needed.
    public func join<T: RecordTable>(
        _ table: T, on condition: (First, Second, Columns<T.Record>) -> Condition
    ) -> JoinedQuery3<First, Second, Columns<T.Record>> {
        let columns = Columns(core: table.core, alias: clauses.alias(for: table.core))
        var clauses = clauses
        clauses.join("JOIN", table.core, columns.alias, on: condition(first, second, columns))
        return JoinedQuery3(first: first, second: second, third: columns, clauses: clauses)
    }

    /// Adds a table that may have no row for the others, in which case its columns are NULL: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Second, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery3<First, Second, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table that may have no row for the others, in which case its columns are NULL.
    public func leftJoin<T: RecordTable>(
        _ table: T, on condition: (First, Second, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery3<First, Second, OptionalColumns<T.Record>> {
        let columns = OptionalColumns(core: table.core, alias: clauses.alias(for: table.core))
        var clauses = clauses
        clauses.join("LEFT JOIN", table.core, columns.alias, on: condition(first, second, columns))
        return JoinedQuery3(first: first, second: second, third: columns, clauses: clauses)
    }
}
