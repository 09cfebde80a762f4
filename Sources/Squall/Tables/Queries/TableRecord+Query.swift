// Queries begin at the type of a record that has a table.

extension TableRecord {
    /// The query for all rows: `SELECT … FROM "users"`.
    @inlinable
    public static var query: Query<Columns<Self>> { table.core.query }

    /// Begins a query with a condition: `… WHERE …`
    @inlinable
    public static func `where`(_ condition: (Columns<Self>) -> Condition) -> Query<Columns<Self>> {
        query.where(condition)
    }

    /// Begins a query with an order: `… ORDER BY …`
    @inlinable
    public static func order(@ListBuilder<Ordering> _ terms: (Columns<Self>) -> [Ordering]) -> Query<Columns<Self>> {
        query.order(terms)
    }

    /// Begins a query with a limit: `… LIMIT ? OFFSET ?`. A negative number makes the query throw.
    @inlinable
    public static func limit(_ limit: Int, offset: Int? = nil) -> Query<Columns<Self>> {
        query.limit(limit, offset: offset)
    }

    /// Begins a query with a grouping: `… GROUP BY …`
    public static func group<Value>(_ term: (Columns<Self>) -> Expr<Value>) -> Query<Columns<Self>> {
        query.group(term)
    }

    /// Begins a query with a grouping by several terms: `… GROUP BY …, …`
    public static func group<Value1, Value2, each Value>(
        _ terms: (Columns<Self>) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Query<Columns<Self>> {
        query.group(terms)
    }

    /// Begins a query for the value of an expression: `SELECT … FROM "users"`
    public static func select<Column: Selectable>(_ column: (Columns<Self>) -> Column) -> ValueQuery<
        Columns<Self>, Column
    > {
        query.select(column)
    }

    /// Begins a query for the values of two expressions: `SELECT …, … FROM "users"`
    public static func select<Column1: Selectable, Column2: Selectable>(
        _ columns: (Columns<Self>) -> (Column1, Column2)
    ) -> ValueQuery<Columns<Self>, Column1, Column2> {
        query.select(columns)
    }

    /// Begins a query for the values of three or more expressions: `SELECT …, …, … FROM "users"`
    public static func select<Column1: Selectable, Column2: Selectable, Column3: Selectable, each Column: Selectable>(
        _ columns: (Columns<Self>) -> (Column1, Column2, Column3, repeat each Column)
    ) -> ValueQuery<Columns<Self>, Column1, Column2, Column3, repeat each Column> {
        query.select(columns)
    }

    /// Begins a query for values that become another type: `select(into: Summary.init) { ($0.name, $0.age) }`.
    public static func select<Output, Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        into make:
            @escaping @Sendable (Column1.Output, Column2.Output, repeat (each Column).Output) throws -> Output,
        _ columns: (Columns<Self>) -> (Column1, Column2, repeat each Column)
    ) -> Select<Output> {
        query.select(into: make, columns)
    }

    /// Begins a query for one value that becomes another type: `select(into: Name.init) { $0.name }`.
    public static func select<Output, Column: Selectable>(
        into make: @escaping @Sendable (Column.Output) throws -> Output, _ column: (Columns<Self>) -> Column
    ) -> Select<Output> {
        query.select(into: make, column)
    }
}

extension TableRecord {
    /// Begins a query with another table that must have a matching row: `… JOIN "posts" ON …`
    public static func join<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Self>, Columns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Self>, Columns<Other>> {
        query.join(type, on: condition)
    }

    @_documentation(visibility: internal)
    @available(
        *, unavailable, message: "write the condition, `.join(Author.self) { $0.author == $1.id }`, or join a relation"
    )
    public static func join<Other: TableRecord>(
        _ type: Other.Type
    ) -> JoinedQuery<Columns<Self>, Columns<Other>> {
        query.join(type) { _, _ in "TRUE" }
    }

    /// Begins a query with another table that must have a matching row. It is given by its declaration, as an alias or as a common
    /// table expression.
    public static func join<T: QueryTable>(
        _ table: T, on condition: (Columns<Self>, T.Source.Names) -> Condition
    ) -> JoinedQuery<Columns<Self>, T.Source> {
        query.join(table, on: condition)
    }

    /// Begins a query with another table whose columns are NULL where it has no matching row: `… LEFT JOIN "posts" ON …`
    public static func leftJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Columns<Self>, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Columns<Self>, OptionalColumns<Other>> {
        query.leftJoin(type, on: condition)
    }

    /// Begins a query with another table whose columns are NULL where it has no matching row. It is given by its declaration, as an alias or as a common
    /// table expression.
    public static func leftJoin<T: QueryTable>(
        _ table: T, on condition: (Columns<Self>, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery<Columns<Self>, T.Source.IfMissing> {
        query.leftJoin(table, on: condition)
    }

    /// Begins a query with another table and keeps all its rows: `… RIGHT JOIN "posts" ON …`
    public static func rightJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (OptionalColumns<Self>, Columns<Other>) -> Condition
    ) -> JoinedQuery<OptionalColumns<Self>, Columns<Other>> {
        query.rightJoin(type, on: condition)
    }

    /// Begins a query with another table and keeps all its rows. It is given by its declaration, as an alias or as a common
    /// table expression.
    public static func rightJoin<T: QueryTable>(
        _ table: T, on condition: (OptionalColumns<Self>, T.Source.Names) -> Condition
    ) -> JoinedQuery<OptionalColumns<Self>, T.Source> {
        query.rightJoin(table, on: condition)
    }

    /// Begins a query with another table and keeps all rows of both: `… FULL JOIN "posts" ON …`
    public static func fullJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (OptionalColumns<Self>, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<OptionalColumns<Self>, OptionalColumns<Other>> {
        query.fullJoin(type, on: condition)
    }

    /// Begins a query with another table and keeps all rows of both. It is given by its declaration, as an alias or as a common
    /// table expression.
    public static func fullJoin<T: QueryTable>(
        _ table: T, on condition: (OptionalColumns<Self>, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery<OptionalColumns<Self>, T.Source.IfMissing> {
        query.fullJoin(table, on: condition)
    }
}
