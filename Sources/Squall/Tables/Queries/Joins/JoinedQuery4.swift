/// A query on four tables. Its closures take the columns of all.
///
/// The rows are tuples of records, unless the query selects other values. Records are optional after an outer join.
/// ``ClauseQuery4`` has the clauses.
public struct JoinedQuery4<
    First: QuerySource, Second: QuerySource, Third: QuerySource, Fourth: QuerySource
>: ClauseQuery4 {
    let tables: (First, Second, Third, Fourth)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    public typealias Output = (First.Output, Second.Output, Third.Output, Fourth.Output)

    @_documentation(visibility: internal)
    public var sources: (First.Names, Second.Names, Third.Names, Fourth.Names) {
        (tables.0.sourceNames, tables.1.sourceNames, tables.2.sourceNames, tables.3.sourceNames)
    }
    @_documentation(visibility: internal)
    public var rows: ResultColumns<First, Second, Third, Fourth> {
        ResultColumns(tables.0, tables.1, tables.2, tables.3)
    }
}

extension JoinedQuery4 {
    /// Adds a table that must have a matching row: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, Columns<Record>) -> Condition
    ) -> JoinedQuery5<First, Second, Third, Fourth, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table that must have a matching row. It is given by its declaration, as an alias or as a common table
    /// expression.
    public func join<T: QueryTable>(
        _ table: T, on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery5<First, Second, Third, Fourth, T.Source> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, old.3.sourceNames, $0.sourceNames)
        }
        return JoinedQuery5(tables: (old.0, old.1, old.2, old.3, new), clauses: clauses)
    }

    /// Adds a table whose columns are NULL where it has no matching row: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery5<First, Second, Third, Fourth, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table whose columns are NULL where it has no matching row. It is given by its declaration, as an alias or as a common table
    /// expression.
    public func leftJoin<T: QueryTable>(
        _ table: T,
        on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery5<First, Second, Third, Fourth, T.Source.IfMissing> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" LEFT JOIN ", table) {
            condition(
                old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, old.3.sourceNames,
                $0.sourceIfMissing.sourceNames)
        }
        return JoinedQuery5(tables: (old.0, old.1, old.2, old.3, new.sourceIfMissing), clauses: clauses)
    }

    /// Adds a table and keeps all its rows: `RIGHT JOIN "posts" ON …`.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            Columns<Record>
        ) -> Condition
    ) -> JoinedQuery5<First.IfMissing, Second.IfMissing, Third.IfMissing, Fourth.IfMissing, Columns<Record>> {
        rightJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all its rows. It is given by its declaration, as an alias or as a common table
    /// expression.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<T: QueryTable>(
        _ table: T,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names, T.Source.Names
        ) -> Condition
    ) -> JoinedQuery5<First.IfMissing, Second.IfMissing, Third.IfMissing, Fourth.IfMissing, T.Source> {
        var clauses = clauses
        let old = (
            tables.0.sourceIfMissing, tables.1.sourceIfMissing, tables.2.sourceIfMissing, tables.3.sourceIfMissing
        )
        let new = clauses.join(" RIGHT JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, old.3.sourceNames, $0.sourceNames)
        }
        return JoinedQuery5(tables: (old.0, old.1, old.2, old.3, new), clauses: clauses)
    }

    /// Adds a table and keeps all rows of both sides: `FULL JOIN "posts" ON …`.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            OptionalColumns<Record>
        ) -> Condition
    ) -> JoinedQuery5<First.IfMissing, Second.IfMissing, Third.IfMissing, Fourth.IfMissing, OptionalColumns<Record>> {
        fullJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all rows of both sides. It is given by its declaration, as an alias or as a common table
    /// expression.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<T: QueryTable>(
        _ table: T,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            T.Source.IfMissing.Names
        ) -> Condition
    ) -> JoinedQuery5<First.IfMissing, Second.IfMissing, Third.IfMissing, Fourth.IfMissing, T.Source.IfMissing> {
        var clauses = clauses
        let old = (
            tables.0.sourceIfMissing, tables.1.sourceIfMissing, tables.2.sourceIfMissing, tables.3.sourceIfMissing
        )
        let new = clauses.join(" FULL JOIN ", table) {
            condition(
                old.0.sourceNames, old.1.sourceNames, old.2.sourceNames, old.3.sourceNames,
                $0.sourceIfMissing.sourceNames)
        }
        return JoinedQuery5(tables: (old.0, old.1, old.2, old.3, new.sourceIfMissing), clauses: clauses)
    }
}
