/// A query on one table, whose closures take the columns of the table: a ``Query`` or a ``ValueQuery``.
///
///     User.where { $0.age > 17 }.order { $0.name }
public protocol ClauseQuery1<Names>: ClauseQuery where Sources == Names {
    /// The ``Columns`` of the table.
    @_documentation(visibility: internal)
    associatedtype Names: Sendable
}

extension ClauseQuery1 {
    /// Adds a condition: `WHERE …`. All conditions of a query must hold: `WHERE … AND …`.
    @inlinable
    public consuming func `where`(_ condition: (Names) -> Condition) -> Self {
        addingCondition(condition)
    }

    /// Adds terms of the order: `ORDER BY …`
    @inlinable
    public consuming func order(@ListBuilder<Ordering> _ terms: (Names) -> [Ordering]) -> Self {
        addingOrder(terms)
    }

    /// Adds a term of the grouping: `GROUP BY …`
    public func group<Value>(_ term: (Names) -> Expr<Value>) -> Self {
        addingGroup(term)
    }

    /// Adds terms of the grouping: `GROUP BY …, …`
    public func group<Value1, Value2, each Value>(
        _ terms: (Names) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Self {
        addingGroups(terms)
    }

    /// Adds a condition on the groups: `HAVING …`
    public func having(_ condition: (Names) -> Condition) -> Self {
        addingHaving(condition)
    }
}

extension ClauseQuery1 {
    /// Selects the value of an expression, or a record.
    public func select<Column: Selectable>(_ column: (Names) -> Column) -> ValueQuery<Names, Column> {
        let (clauses, rows) = selecting(column)
        return ValueQuery(sources: sources, clauses: clauses, rows: rows)
    }

    /// Selects the values of two expressions, as a tuple. Expressions and records can be mixed.
    ///
    ///     User.group { $0.city }.select { ($0.city, $0.id.count()) }
    ///         .having { $0.id.count() > 1 }
    ///     // SELECT "users"."city", count("users"."id") FROM "users"
    ///     // GROUP BY "users"."city" HAVING count("users"."id") > 1
    // Two values have a form without a pack: Swift 6.3.1 does not compile `.named("q").where { $0.0 == 3 }` in one chain after a
    // pack, nor `print(try connection.all(query).count)`. Three do not: with that form, type-checking a query took 1.5× as long.
    public func select<Column1: Selectable, Column2: Selectable>(
        _ columns: (Names) -> (Column1, Column2)
    ) -> ValueQuery<Names, Column1, Column2> {
        let (clauses, rows) = selectingAll(columns)
        return ValueQuery(sources: sources, clauses: clauses, rows: rows)
    }

    /// Selects the values of three or more expressions, as a tuple. Expressions and records can be mixed.
    public func select<Column1: Selectable, Column2: Selectable, Column3: Selectable, each Column: Selectable>(
        _ columns: (Names) -> (Column1, Column2, Column3, repeat each Column)
    ) -> ValueQuery<Names, Column1, Column2, Column3, repeat each Column> {
        let (clauses, rows) = selectingAll(columns)
        return ValueQuery(sources: sources, clauses: clauses, rows: rows)
    }

    /// Selects two or more values, from which a function makes a value of another type.
    ///
    /// - Parameters:
    ///   - make: A function or an initialiser with parameters of their types, called with each row.
    ///   - columns: Returns the values to select.
    public func select<Output, Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        into make:
            @escaping @Sendable (Column1.Output, Column2.Output, repeat (each Column).Output) throws -> Output,
        _ columns: (Names) -> (Column1, Column2, repeat each Column)
    ) -> Select<Output> {
        selectingAll(into: make, columns)
    }

    /// Selects one value, from which a function makes a value of another type.
    ///
    /// - Parameters:
    ///   - make: A function or an initialiser with a parameter of its type, called with each row.
    ///   - column: Returns the value to select.
    public func select<Output, Column: Selectable>(
        into make: @escaping @Sendable (Column.Output) throws -> Output,
        _ column: (Names) -> Column
    ) -> Select<Output> {
        selecting(into: make, column)
    }
}
