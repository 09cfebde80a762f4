/// A query on a table.
///
///     User.where { $0.age > 17 }.order { $0.name.ascending }.limit(20, offset: 40)
///
/// The rows are the records of the table, unless the query selects other values. ``ClauseQuery1`` has its clauses.
public struct Query<First: QuerySource>: ClauseQuery1 {
    @usableFromInline let tables: First
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    public typealias Output = First.Output

    @inlinable
    package init(tables: First, clauses: QueryClauses) {
        self.tables = tables
        self.clauses = clauses
    }

    @_documentation(visibility: internal)
    @inlinable
    public var sources: First.Names { tables.sourceNames }
    @_documentation(visibility: internal)
    @inlinable
    public var rows: First { tables }
}

extension Query {
    /// Adds a table that must have a matching row: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.Names, Columns<Record>) -> Condition
    ) -> JoinedQuery<First, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table that must have a matching row. It is given by its declaration, as an alias or as a common table expression.
    public func join<T: QueryTable>(
        _ table: T, on condition: (First.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery<First, T.Source> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" JOIN ", table) { condition(old.sourceNames, $0.sourceNames) }
        return JoinedQuery(tables: (old, new), clauses: clauses)
    }

    /// Adds a table whose columns are NULL where it has no matching row: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery<First, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table whose columns are NULL where it has no matching row. It is given by its declaration, as an alias or as a common table
    /// expression.
    public func leftJoin<T: QueryTable>(
        _ table: T, on condition: (First.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery<First, T.Source.IfMissing> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" LEFT JOIN ", table) { condition(old.sourceNames, $0.sourceIfMissing.sourceNames) }
        return JoinedQuery(tables: (old, new.sourceIfMissing), clauses: clauses)
    }

    /// Adds a table and keeps all its rows: `RIGHT JOIN "posts" ON …`.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.IfMissing.Names, Columns<Record>) -> Condition
    ) -> JoinedQuery<First.IfMissing, Columns<Record>> {
        rightJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all its rows. It is given by its declaration, as an alias or as a common table expression.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<T: QueryTable>(
        _ table: T, on condition: (First.IfMissing.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery<First.IfMissing, T.Source> {
        var clauses = clauses
        let old = tables.sourceIfMissing
        let new = clauses.join(" RIGHT JOIN ", table) { condition(old.sourceNames, $0.sourceNames) }
        return JoinedQuery(tables: (old, new), clauses: clauses)
    }

    /// Adds a table and keeps all rows of both sides: `FULL JOIN "posts" ON …`.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.IfMissing.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery<First.IfMissing, OptionalColumns<Record>> {
        fullJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all rows of both sides. It is given by its declaration, as an alias or as a common table expression.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<T: QueryTable>(
        _ table: T, on condition: (First.IfMissing.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery<First.IfMissing, T.Source.IfMissing> {
        var clauses = clauses
        let old = tables.sourceIfMissing
        let new = clauses.join(" FULL JOIN ", table) { condition(old.sourceNames, $0.sourceIfMissing.sourceNames) }
        return JoinedQuery(tables: (old, new.sourceIfMissing), clauses: clauses)
    }
}
