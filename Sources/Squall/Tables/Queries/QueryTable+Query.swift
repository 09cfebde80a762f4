// Queries begin at a table, an alias or a common table expression.

extension QueryTable {
    /// The query for all rows: `SELECT … FROM "points"`.
    @inlinable
    public var query: Query<Source> {
        var clauses = QueryClauses()
        let alias = clauses.begin(with: entry)
        return Query(tables: source(named: alias), clauses: clauses)
    }

    /// Begins a query with a condition: `… WHERE …`
    @inlinable
    public func `where`(_ condition: (Source.Names) -> Condition) -> Query<Source> {
        query.where(condition)
    }

    /// Begins a query with an order: `… ORDER BY …`
    @inlinable
    public func order(@ListBuilder<Ordering> _ terms: (Source.Names) -> [Ordering]) -> Query<Source> {
        query.order(terms)
    }

    /// Begins a query with a limit: `… LIMIT ? OFFSET ?`. A negative number makes the query throw.
    @inlinable
    public func limit(_ limit: Int, offset: Int? = nil) -> Query<Source> {
        query.limit(limit, offset: offset)
    }

    /// Begins a query with a grouping: `… GROUP BY …`
    public func group<Value>(_ term: (Source.Names) -> Expr<Value>) -> Query<Source> {
        query.group(term)
    }

    /// Begins a query with a grouping by several terms: `… GROUP BY …, …`
    public func group<Value1, Value2, each Value>(
        _ terms: (Source.Names) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Query<Source> {
        query.group(terms)
    }

    /// Begins a query for the value of an expression: `SELECT … FROM "points"`
    public func select<Column: Selectable>(_ column: (Source.Names) -> Column) -> ValueQuery<Source.Names, Column> {
        query.select(column)
    }

    /// Begins a query for the values of two expressions: `SELECT …, … FROM "points"`
    public func select<Column1: Selectable, Column2: Selectable>(
        _ columns: (Source.Names) -> (Column1, Column2)
    ) -> ValueQuery<Source.Names, Column1, Column2> {
        query.select(columns)
    }

    /// Begins a query for the values of three or more expressions: `SELECT …, …, … FROM "points"`
    public func select<Column1: Selectable, Column2: Selectable, Column3: Selectable, each Column: Selectable>(
        _ columns: (Source.Names) -> (Column1, Column2, Column3, repeat each Column)
    ) -> ValueQuery<Source.Names, Column1, Column2, Column3, repeat each Column> {
        query.select(columns)
    }

    /// Begins a query for values that become another type: `select(into: Summary.init) { ($0.name, $0.age) }`.
    public func select<Output, Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        into make:
            @escaping @Sendable (Column1.Output, Column2.Output, repeat (each Column).Output) throws -> Output,
        _ columns: (Source.Names) -> (Column1, Column2, repeat each Column)
    ) -> Select<Output> {
        query.select(into: make, columns)
    }

    /// Begins a query for one value that becomes another type: `select(into: Name.init) { $0.name }`.
    public func select<Output, Column: Selectable>(
        into make: @escaping @Sendable (Column.Output) throws -> Output, _ column: (Source.Names) -> Column
    ) -> Select<Output> {
        query.select(into: make, column)
    }
}

extension TableCore {
    /// The query for all rows.
    @inlinable
    var query: Query<Columns<Record>> {
        let (clauses, alias) = beginQuery()
        return Query(tables: Columns(core: self, alias: alias), clauses: clauses)
    }

    @usableFromInline
    func beginQuery() -> (clauses: QueryClauses, alias: String?) {
        if !QueryScope.contains(name) { return (clauses, nil) }
        var clauses = QueryClauses()
        let alias = clauses.begin(with: entry)
        return (clauses, alias)
    }
}

extension QueryTable {
    /// Begins a query with another table that must have a matching row: `… JOIN "posts" ON …`
    public func join<Other: TableRecord>(
        _ type: Other.Type, on condition: (Source.Names, Columns<Other>) -> Condition
    ) -> JoinedQuery<Source, Columns<Other>> {
        query.join(type, on: condition)
    }

    /// Begins a query with another table that must have a matching row. It is given by its declaration, as an alias or as a common
    /// table expression.
    public func join<T: QueryTable>(
        _ table: T, on condition: (Source.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery<Source, T.Source> {
        query.join(table, on: condition)
    }

    /// Begins a query with another table whose columns are NULL where it has no matching row: `… LEFT JOIN "posts" ON …`
    public func leftJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Source.Names, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Source, OptionalColumns<Other>> {
        query.leftJoin(type, on: condition)
    }

    /// Begins a query with another table whose columns are NULL where it has no matching row. It is given by its declaration, as an alias or as a common
    /// table expression.
    public func leftJoin<T: QueryTable>(
        _ table: T, on condition: (Source.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery<Source, T.Source.IfMissing> {
        query.leftJoin(table, on: condition)
    }

    /// Begins a query with another table and keeps all its rows: `… RIGHT JOIN "posts" ON …`
    public func rightJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Source.IfMissing.Names, Columns<Other>) -> Condition
    ) -> JoinedQuery<Source.IfMissing, Columns<Other>> {
        query.rightJoin(type, on: condition)
    }

    /// Begins a query with another table and keeps all its rows. It is given by its declaration, as an alias or as a common
    /// table expression.
    public func rightJoin<T: QueryTable>(
        _ table: T, on condition: (Source.IfMissing.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery<Source.IfMissing, T.Source> {
        query.rightJoin(table, on: condition)
    }

    /// Begins a query with another table and keeps all rows of both: `… FULL JOIN "posts" ON …`
    public func fullJoin<Other: TableRecord>(
        _ type: Other.Type, on condition: (Source.IfMissing.Names, OptionalColumns<Other>) -> Condition
    ) -> JoinedQuery<Source.IfMissing, OptionalColumns<Other>> {
        query.fullJoin(type, on: condition)
    }

    /// Begins a query with another table and keeps all rows of both. It is given by its declaration, as an alias or as a common
    /// table expression.
    public func fullJoin<T: QueryTable>(
        _ table: T, on condition: (Source.IfMissing.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery<Source.IfMissing, T.Source.IfMissing> {
        query.fullJoin(table, on: condition)
    }
}
