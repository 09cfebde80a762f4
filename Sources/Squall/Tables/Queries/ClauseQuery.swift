/// A query to which clauses can be added: a ``Query``, a ``JoinedQuery`` or a ``JoinedQuery3``.
///
/// The closures take the columns of every table of the query:
///
///     User.join(Post.self) { $0.id == $1.author }.where { $0.age > 17 && $1.score > 2 }.order { $1.title.ascending }
public protocol ClauseQuery<Sources>: Selection {
    /// The ``Columns`` of the table, or a tuple of the columns of several tables.
    associatedtype Sources

    @_documentation(visibility: internal)
    var sources: Sources { get }
    @_documentation(visibility: internal)
    var clauses: QueryClauses { get set }
}

extension ClauseQuery {
    /// Adds a condition: `WHERE …`. All conditions of a query must hold: `WHERE … AND …`.
    public func `where`(_ condition: (Sources) -> Condition) -> Self {
        changed { $0.addCondition(condition(sources)) }
    }

    /// Adds terms of the order: `ORDER BY …`
    public func order(@ListBuilder<Ordering> _ terms: (Sources) -> [Ordering]) -> Self {
        changed { $0.orderings += terms(sources) }
    }

    /// Sets the limit: `LIMIT ? OFFSET ?`
    public func limit(_ limit: Int, offset: Int? = nil) -> Self {
        changed {
            $0.limit = limit
            $0.offset = offset
        }
    }

    /// Leaves out duplicate rows: `SELECT DISTINCT …`
    public func distinct() -> Self {
        changed { $0.isDistinct = true }
    }

    /// Adds terms of the grouping: `GROUP BY …`
    public func group<each Value>(_ terms: (Sources) -> (repeat Expr<each Value>)) -> Self {
        let terms = terms(sources)
        return changed { clauses in repeat clauses.groups.append((each terms).operand) }
    }

    /// Adds a condition on the groups: `HAVING …`
    public func having(_ condition: (Sources) -> Condition) -> Self {
        changed { $0.addHaving(condition(sources)) }
    }

    /// Selects the value of an expression.
    public func select<Value: ColumnStorable>(_ expression: (Sources) -> Expr<Value>) -> Select<Value> {
        clauses.select(expression(sources))
    }

    /// Selects the values of several expressions, as a tuple. Two of them are named, because a pack would also match one.
    public func select<Value1: ColumnStorable, Value2: ColumnStorable, each Value: ColumnStorable>(
        _ expressions: (Sources) -> (Expr<Value1>, Expr<Value2>, repeat Expr<each Value>)
    ) -> Select<(Value1, Value2, repeat each Value)> {
        selectAll(expressions)
    }

    /// Takes the same tuple as one pack: Swift 6.3.1 cannot expand a tuple of fixed elements and a pack.
    private func selectAll<each Value: ColumnStorable>(
        _ expressions: (Sources) -> (repeat Expr<each Value>)
    ) -> Select<(repeat each Value)> {
        let expressions = expressions(sources)
        return clauses.select(repeat each expressions)
    }

    private func changed(_ change: (inout QueryClauses) -> Void) -> Self {
        var query = self
        change(&query.clauses)
        return query
    }
}
