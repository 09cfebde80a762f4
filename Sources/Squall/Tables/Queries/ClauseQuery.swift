/// A query to which clauses can be added: a ``Query``, a ``JoinedQuery`` … ``JoinedQuery7`` or a ``ValueQuery``.
///
/// The closures take the columns of every table of the query:
///
///     User.join(Post.self) { $0.id == $1.author }.where { $0.age > 17 && $1.score > 2 }.order { $1.title.ascending }
public protocol ClauseQuery<Sources>: Selection {
    /// The ``Columns`` of the table, or a tuple of the columns of several tables.
    associatedtype Sources: Sendable

    @_documentation(visibility: internal)
    var sources: Sources { get }
    @_documentation(visibility: internal)
    var clauses: QueryClauses { get set }
}

extension ClauseQuery {
    @_documentation(visibility: internal)
    public var select: Select<Rows.Output> { clauses.select(rows.selectedReader) }

    /// Adds a condition: `WHERE …`. All conditions of a query must hold: `WHERE … AND …`.
    public func `where`(_ condition: (Sources) -> Condition) -> Self {
        changed(condition) { $0.addCondition($1) }
    }

    /// Adds terms of the order: `ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (Sources) -> [Ordering]) -> Self {
        changed(terms) { $0.orderings += $1 }
    }

    /// Sets the limit: `LIMIT ? OFFSET ?`. A negative number makes the query throw.
    public func limit(_ limit: Int, offset: Int? = nil) -> Self {
        var query = self
        query.clauses.limit = limit
        query.clauses.offset = offset
        return query
    }

    /// Leaves out duplicate rows: `SELECT DISTINCT …`
    public func distinct() -> Self {
        var query = self
        query.clauses.isDistinct = true
        return query
    }

    /// Adds a term of the grouping: `GROUP BY …`
    // Not a pack of one: for several tables, Swift 6.3.1 crashes when it converts the closure.
    public func group<Value>(_ term: (Sources) -> Expr<Value>) -> Self {
        changed(term) { $0.groups.append($1.operand) }
    }

    /// Adds terms of the grouping: `GROUP BY …, …`
    public func group<Value1, Value2, each Value>(
        _ terms: (Sources) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Self {
        groupAll(terms)
    }

    private func groupAll<each Value>(_ terms: (Sources) -> (repeat Expr<each Value>)) -> Self {
        var query = self
        let terms = query.clauses.inScope { terms(sources) }
        repeat query.clauses.groups.append((each terms).operand)
        return query
    }

    /// Adds a condition on the groups: `HAVING …`
    public func having(_ condition: (Sources) -> Condition) -> Self {
        changed(condition) { $0.addHaving($1) }
    }

    /// Selects the value of an expression, or a record.
    public func select<Column: Selectable>(_ column: (Sources) -> Column) -> ValueQuery<Sources, Column> {
        var clauses = clauses
        let column = clauses.inScope { column(sources) }
        return ValueQuery(sources: sources, clauses: clauses, rows: ResultColumns(column))
    }

    /// Selects the values of several expressions, as a tuple. Records can be among them.
    ///
    ///     User.group { $0.city }.select { ($0.city, $0.id.count()) }.having { $0.id.count() > 1 }
    ///     // SELECT "users"."city", count("users"."id") FROM "users" GROUP BY "users"."city" HAVING count("users"."id") > 1
    // Two of them are named, because a pack would also match one.
    public func select<Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        _ columns: (Sources) -> (Column1, Column2, repeat each Column)
    ) -> ValueQuery<Sources, Column1, Column2, repeat each Column> {
        selectAll(columns)
    }

    /// Takes the same tuple as one pack: Swift 6.3.1 cannot expand a tuple of fixed elements and a pack.
    private func selectAll<each Column: Selectable>(
        _ columns: (Sources) -> (repeat each Column)
    ) -> ValueQuery<Sources, repeat each Column> {
        var clauses = clauses
        let columns = clauses.inScope { columns(sources) }
        return ValueQuery(sources: sources, clauses: clauses, rows: ResultColumns(repeat each columns))
    }

    /// Selects values that become another type: an initialiser, or any function of their types, makes it from each row.
    ///
    ///     User.join(Car.self) { $0.id == $1.owner }.group { user, _ in user.id }
    ///         .select(into: Summary.init) { ($0.name, $1.price.sum()) }
    ///     // SELECT "users"."name", sum("cars"."price") FROM "users" …, as Summary
    public func select<Output, Column1: Selectable, Column2: Selectable, each Column: Selectable>(
        into make:
            @escaping @Sendable (Column1.Output, Column2.Output, repeat (each Column).Output) throws -> Output,
        _ columns: (Sources) -> (Column1, Column2, repeat each Column)
    ) -> Select<Output> {
        selectAll(into: make, columns)
    }

    /// Selects one value that becomes another type.
    public func select<Output, Column: Selectable>(
        into make: @escaping @Sendable (Column.Output) throws -> Output, _ column: (Sources) -> Column
    ) -> Select<Output> {
        var clauses = clauses
        let reader = clauses.inScope { column(sources) }.selectedReader
        return clauses.select(
            SourceReader(columnSQL: reader.columnSQL, forms: reader.forms) { [read = reader.read] row, first in
                try make(try read(row, first))
            })
    }

    private func selectAll<Output, each Column: Selectable>(
        into make: @escaping @Sendable (repeat (each Column).Output) throws -> Output,
        _ columns: (Sources) -> (repeat each Column)
    ) -> Select<Output> {
        var clauses = clauses
        let columns = clauses.inScope { columns(sources) }
        let reader = ResultColumns(repeat each columns).selectedReader
        return clauses.select(
            SourceReader(columnSQL: reader.columnSQL, forms: reader.forms) { [read = reader.read] row, first in
                let values = try read(row, first)
                return try make(repeat each values)
            })
    }

    private func changed<Clause>(
        _ clause: (Sources) -> Clause, _ change: (inout QueryClauses, Clause) -> Void
    ) -> Self {
        var query = self
        let clause = query.clauses.inScope { clause(sources) }
        change(&query.clauses, clause)
        return query
    }
}
