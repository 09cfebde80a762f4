/// A query on three tables. Its closures take the columns of all.
///
/// The rows are tuples of records, unless the query selects other values. Records are optional after an outer join.
/// ``ClauseQuery3`` has the clauses.
@_documentation(visibility: internal)
public struct JoinedQuery3<
    First: QuerySource, Second: QuerySource, Third: QuerySource
>: ClauseQuery3 {
    let tables: (First, Second, Third)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    public typealias Output = (First.Output, Second.Output, Third.Output)

    @_documentation(visibility: internal)
    public var sources: (First.Names, Second.Names, Third.Names) {
        (tables.0.sourceNames, tables.1.sourceNames, tables.2.sourceNames)
    }
    @_documentation(visibility: internal)
    public var rows: ResultColumns<First, Second, Third> {
        ResultColumns(tables.0, tables.1, tables.2)
    }
}

extension JoinedQuery3 {
    /// Adds a table that must have a matching row: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.Names, Second.Names, Third.Names, Columns<Record>) -> Condition
    ) -> JoinedQuery4<First, Second, Third, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table that must have a matching row. It is given by its declaration, as an alias or as a common table expression.
    public func join<T: QueryTable>(
        _ table: T, on condition: (First.Names, Second.Names, Third.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery4<First, Second, Third, T.Source> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, $0.sourceNames)
        }
        return JoinedQuery4(tables: (old.0, old.1, old.2, new), clauses: clauses)
    }

    /// Adds a table whose columns are NULL where it has no matching row: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.Names, Second.Names, Third.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery4<First, Second, Third, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table whose columns are NULL where it has no matching row. It is given by its declaration, as an alias or as a common table
    /// expression.
    public func leftJoin<T: QueryTable>(
        _ table: T, on condition: (First.Names, Second.Names, Third.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery4<First, Second, Third, T.Source.IfMissing> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" LEFT JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, $0.sourceIfMissing.sourceNames)
        }
        return JoinedQuery4(tables: (old.0, old.1, old.2, new.sourceIfMissing), clauses: clauses)
    }

    /// Adds a table and keeps all its rows: `RIGHT JOIN "posts" ON …`.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Columns<Record>) ->
            Condition
    ) -> JoinedQuery4<First.IfMissing, Second.IfMissing, Third.IfMissing, Columns<Record>> {
        rightJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all its rows. It is given by its declaration, as an alias or as a common table expression.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<T: QueryTable>(
        _ table: T,
        on condition: (First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, T.Source.Names) ->
            Condition
    ) -> JoinedQuery4<First.IfMissing, Second.IfMissing, Third.IfMissing, T.Source> {
        var clauses = clauses
        let old = (tables.0.sourceIfMissing, tables.1.sourceIfMissing, tables.2.sourceIfMissing)
        let new = clauses.join(" RIGHT JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, $0.sourceNames)
        }
        return JoinedQuery4(tables: (old.0, old.1, old.2, new), clauses: clauses)
    }

    /// Adds a table and keeps all rows of both sides: `FULL JOIN "posts" ON …`.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, OptionalColumns<Record>) ->
            Condition
    ) -> JoinedQuery4<First.IfMissing, Second.IfMissing, Third.IfMissing, OptionalColumns<Record>> {
        fullJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all rows of both sides. It is given by its declaration, as an alias or as a common table expression.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<T: QueryTable>(
        _ table: T,
        on condition: (First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, T.Source.IfMissing.Names)
            -> Condition
    ) -> JoinedQuery4<First.IfMissing, Second.IfMissing, Third.IfMissing, T.Source.IfMissing> {
        var clauses = clauses
        let old = (tables.0.sourceIfMissing, tables.1.sourceIfMissing, tables.2.sourceIfMissing)
        let new = clauses.join(" FULL JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, $0.sourceIfMissing.sourceNames)
        }
        return JoinedQuery4(tables: (old.0, old.1, old.2, new.sourceIfMissing), clauses: clauses)
    }
}
