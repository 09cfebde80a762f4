// Queries begin at a table, or at the type of a record that has one.

extension RecordTable {
    /// The query for all rows: `SELECT … FROM "points"`.
    public var query: Query<Columns<Record>> {
        Query(sources: core.source, clauses: QueryClauses(core))
    }

    /// Begins a query with a condition: `… WHERE …`
    public func `where`(_ condition: (Columns<Record>) -> Condition) -> Query<Columns<Record>> {
        query.where(condition)
    }

    /// Begins a query with an order: `… ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (Columns<Record>) -> [Ordering]) -> Query<Columns<Record>> {
        query.order(terms)
    }

    /// Begins a query for the value of an expression: `SELECT … FROM "points"`
    public func select<Value: ColumnStorable>(_ expression: (Columns<Record>) -> Expr<Value>) -> Select<Value> {
        query.select(expression)
    }

    /// Begins a query for the values of several expressions: `SELECT …, … FROM "points"`
    public func select<Value1: ColumnStorable, Value2: ColumnStorable, each Value: ColumnStorable>(
        _ expressions: (Columns<Record>) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        query.select(expressions)
    }

    /// Begins a query with a table that must have a matching row: `… JOIN "users" ON …`
    public func join<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Record>, Columns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Record>, Columns<Other>> {
        query.join(type, on: condition)
    }

    /// Begins a query with a table that must have a matching row: `… JOIN "points" ON …`
    public func join<T: RecordTable>(
        _ table: T, on condition: (Columns<Record>, Columns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Record>, Columns<T.Record>> {
        query.join(table, on: condition)
    }

    /// Begins a query with a table whose columns are NULL where it has no matching row: `… LEFT JOIN "users" ON …`
    public func leftJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Record>, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Record>, OptionalColumns<Other>> {
        query.leftJoin(type, on: condition)
    }

    /// Begins a query with a table whose columns are NULL where it has no matching row: `… LEFT JOIN "points" ON …`
    public func leftJoin<T: RecordTable>(
        _ table: T, on condition: (Columns<Record>, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Record>, OptionalColumns<T.Record>> {
        query.leftJoin(table, on: condition)
    }
}

extension TableRecord {
    /// The query for all rows: `SELECT … FROM "users"`.
    public static var query: Query<Columns<Self>> { table.query }

    /// Begins a query with a condition: `… WHERE …`
    public static func `where`(_ condition: (Columns<Self>) -> Condition) -> Query<Columns<Self>> {
        query.where(condition)
    }

    /// Begins a query with an order: `… ORDER BY …`
    public static func order(@ListBuilder<Ordering> _ terms: (Columns<Self>) -> [Ordering]) -> Query<Columns<Self>> {
        query.order(terms)
    }

    /// Begins a query for the value of an expression: `SELECT … FROM "users"`
    public static func select<Value: ColumnStorable>(_ expression: (Columns<Self>) -> Expr<Value>) -> Select<Value> {
        query.select(expression)
    }

    /// Begins a query for the values of several expressions: `SELECT …, … FROM "users"`
    public static func select<Value1: ColumnStorable, Value2: ColumnStorable, each Value: ColumnStorable>(
        _ expressions: (Columns<Self>) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        query.select(expressions)
    }

    /// Begins a query with a table that must have a matching row: `… JOIN "posts" ON …`
    public static func join<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Self>, Columns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Self>, Columns<Other>> {
        query.join(type, on: condition)
    }

    /// Begins a query with a table that must have a matching row: `… JOIN "points" ON …`
    public static func join<T: RecordTable>(
        _ table: T, on condition: (Columns<Self>, Columns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Self>, Columns<T.Record>> {
        query.join(table, on: condition)
    }

    /// Begins a query with a table whose columns are NULL where it has no matching row: `… LEFT JOIN "posts" ON …`
    public static func leftJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Self>, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Self>, OptionalColumns<Other>> {
        query.leftJoin(type, on: condition)
    }

    /// Begins a query with a table whose columns are NULL where it has no matching row: `… LEFT JOIN "points" ON …`
    public static func leftJoin<T: RecordTable>(
        _ table: T, on condition: (Columns<Self>, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Self>, OptionalColumns<T.Record>> {
        query.leftJoin(table, on: condition)
    }
}
