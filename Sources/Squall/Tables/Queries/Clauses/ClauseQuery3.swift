/// A query on three tables, whose closures take the columns of all: a ``JoinedQuery3`` or a ``ValueQuery3``.
@_documentation(visibility: internal)
public protocol ClauseQuery3<Names1, Names2, Names3>: ClauseQuery where Sources == (Names1, Names2, Names3) {
    @_documentation(visibility: internal)
    associatedtype Names1: Sendable
    @_documentation(visibility: internal)
    associatedtype Names2: Sendable
    @_documentation(visibility: internal)
    associatedtype Names3: Sendable

    @_documentation(visibility: internal)
    var sources: (Names1, Names2, Names3) { get }
}

extension ClauseQuery3 {
    /// Adds a condition: `WHERE …`. All conditions of a query must hold: `WHERE … AND …`.
    public func `where`(_ condition: (Names1, Names2, Names3) -> Condition) -> Self {
        addingCondition { condition($0.0, $0.1, $0.2) }
    }

    /// Adds terms of the order: `ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (Names1, Names2, Names3) -> [Ordering]) -> Self {
        addingOrder { terms($0.0, $0.1, $0.2) }
    }

    /// Adds a term of the grouping: `GROUP BY …`
    public func group<Value>(_ term: (Names1, Names2, Names3) -> Expr<Value>) -> Self {
        addingGroup { term($0.0, $0.1, $0.2) }
    }

    /// Adds terms of the grouping: `GROUP BY …, …`
    public func group<Value1, Value2, each Value>(
        _ terms: (Names1, Names2, Names3) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Self {
        addingGroups { terms($0.0, $0.1, $0.2) }
    }

    /// Adds a condition on the groups: `HAVING …`
    public func having(_ condition: (Names1, Names2, Names3) -> Condition) -> Self {
        addingHaving { condition($0.0, $0.1, $0.2) }
    }
}

extension ClauseQuery3 {
    /// Selects the value of an expression, or a record.
    public func select<Column: Selectable>(_ column: (Names1, Names2, Names3) -> Column) -> ValueQuery3<
        Names1, Names2, Names3, Column
    > {
        let (clauses, rows) = selecting { column($0.0, $0.1, $0.2) }
        return ValueQuery3(sources: sources, clauses: clauses, rows: rows)
    }

    /// Selects the values of several expressions, as a tuple. Expressions and records can be mixed.
    public func select<Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        _ columns: (Names1, Names2, Names3) -> (Column1, Column2, repeat each Column)
    ) -> ValueQuery3<Names1, Names2, Names3, Column1, Column2, repeat each Column> {
        let (clauses, rows) = selectingAll { columns($0.0, $0.1, $0.2) }
        return ValueQuery3(sources: sources, clauses: clauses, rows: rows)
    }

    /// Selects several values, from which a function or an initialiser with their types makes a value of another type.
    public func select<Output, Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        into make:
            @escaping @Sendable (Column1.Output, Column2.Output, repeat (each Column).Output) throws -> Output,
        _ columns: (Names1, Names2, Names3) -> (Column1, Column2, repeat each Column)
    ) -> Select<Output> {
        selectingAll(into: make) { columns($0.0, $0.1, $0.2) }
    }

    /// Selects one value, from which a function or an initialiser makes a value of another type.
    public func select<Output, Column: Selectable>(
        into make: @escaping @Sendable (Column.Output) throws -> Output,
        _ column: (Names1, Names2, Names3) -> Column
    ) -> Select<Output> {
        selecting(into: make) { column($0.0, $0.1, $0.2) }
    }
}
