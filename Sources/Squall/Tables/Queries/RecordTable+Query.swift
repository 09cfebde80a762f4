// Where queries begin: at a table, or at the type of a record that has one.

extension RecordTable {
    /// All rows: `SELECT … FROM "points"`.
    public var query: Query<Columns<Record>> {
        Query(first: Columns(core: core, alias: nil), clauses: QueryClauses(core))
    }

    /// `… WHERE …`
    public func `where`(_ condition: (Columns<Record>) -> Condition) -> Query<Columns<Record>> {
        query.where(condition)
    }

    /// `… ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (Columns<Record>) -> [Ordering]) -> Query<Columns<Record>> {
        query.order(terms)
    }

    /// `SELECT … FROM "points"`, of one expression
    public func select<Value: ColumnValue>(_ expression: (Columns<Record>) -> Expr<Value>) -> Select<Value> {
        query.select(expression)
    }

    /// `SELECT … FROM "points"`, of several expressions
    public func select<Value1: ColumnValue, Value2: ColumnValue, each Value: ColumnValue>(
        _ expressions: (Columns<Record>) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        query.select(expressions)
    }

    /// `… JOIN "users" ON …`
    public func join<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Record>, Columns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Record>, Columns<Other>> {
        query.join(type, on: condition)
    }

    /// `… JOIN "points" ON …`
    public func join<T: RecordTable>(
        _ table: T, on condition: (Columns<Record>, Columns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Record>, Columns<T.Record>> {
        query.join(table, on: condition)
    }

    /// `… LEFT JOIN "users" ON …`
    public func leftJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Record>, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Record>, OptionalColumns<Other>> {
        query.leftJoin(type, on: condition)
    }

    /// `… LEFT JOIN "points" ON …`
    public func leftJoin<T: RecordTable>(
        _ table: T, on condition: (Columns<Record>, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Record>, OptionalColumns<T.Record>> {
        query.leftJoin(table, on: condition)
    }
}

extension TableRecord {
    /// All rows: `SELECT … FROM "users"`.
    public static var query: Query<Columns<Self>> { table.query }

    /// `… WHERE …`
    public static func `where`(_ condition: (Columns<Self>) -> Condition) -> Query<Columns<Self>> {
        query.where(condition)
    }

    /// `… ORDER BY …`
    public static func order(@ListBuilder<Ordering> _ terms: (Columns<Self>) -> [Ordering]) -> Query<Columns<Self>> {
        query.order(terms)
    }

    /// `SELECT … FROM "users"`, of one expression
    public static func select<Value: ColumnValue>(_ expression: (Columns<Self>) -> Expr<Value>) -> Select<Value> {
        query.select(expression)
    }

    /// `SELECT … FROM "users"`, of several expressions
    public static func select<Value1: ColumnValue, Value2: ColumnValue, each Value: ColumnValue>(
        _ expressions: (Columns<Self>) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        query.select(expressions)
    }

    /// `… JOIN "posts" ON …`
    public static func join<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Self>, Columns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Self>, Columns<Other>> {
        query.join(type, on: condition)
    }

    /// `… JOIN "points" ON …`
    public static func join<T: RecordTable>(
        _ table: T, on condition: (Columns<Self>, Columns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Self>, Columns<T.Record>> {
        query.join(table, on: condition)
    }

    /// `… LEFT JOIN "posts" ON …`
    public static func leftJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Self>, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Self>, OptionalColumns<Other>> {
        query.leftJoin(type, on: condition)
    }

    /// `… LEFT JOIN "points" ON …`
    public static func leftJoin<T: RecordTable>(
        _ table: T, on condition: (Columns<Self>, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery<Columns<Self>, OptionalColumns<T.Record>> {
        query.leftJoin(table, on: condition)
    }
}
