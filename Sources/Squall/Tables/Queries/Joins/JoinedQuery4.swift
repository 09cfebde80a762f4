/// A query on four tables. Its closures take the columns of all.
///
/// The rows are tuples of records, unless the query selects other values. Records are optional after an outer join.
/// ``ClauseQuery4`` has the clauses.
@_documentation(visibility: internal)
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

// A fifth table does not compile. The closures and the result have the types of a join, so that the compiler reports nothing else.
extension JoinedQuery4 {
    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func join<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, Columns<Record>) -> Condition
    ) -> JoinOfMoreThanFourTables<First.Names, Second.Names, Third.Names, Fourth.Names, Columns<Record>, Never> {
        JoinOfMoreThanFourTables()
    }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func join<T: QueryTable>(
        _ table: T, on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, T.Source.Names) -> Condition
    ) -> JoinOfMoreThanFourTables<First.Names, Second.Names, Third.Names, Fourth.Names, T.Source.Names, Never> {
        JoinOfMoreThanFourTables()
    }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinOfMoreThanFourTables<First.Names, Second.Names, Third.Names, Fourth.Names, OptionalColumns<Record>, Never>
    {
        JoinOfMoreThanFourTables()
    }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func leftJoin<T: QueryTable>(
        _ table: T,
        on condition: (First.Names, Second.Names, Third.Names, Fourth.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinOfMoreThanFourTables<First.Names, Second.Names, Third.Names, Fourth.Names, T.Source.IfMissing.Names, Never>
    {
        JoinOfMoreThanFourTables()
    }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func rightJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            Columns<Record>
        ) -> Condition
    ) -> JoinOfMoreThanFourTables<
        First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names, Columns<Record>,
        Never
    > { JoinOfMoreThanFourTables() }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func rightJoin<T: QueryTable>(
        _ table: T,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            T.Source.Names
        ) -> Condition
    ) -> JoinOfMoreThanFourTables<
        First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names, T.Source.Names,
        Never
    > { JoinOfMoreThanFourTables() }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func fullJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            OptionalColumns<Record>
        ) -> Condition
    ) -> JoinOfMoreThanFourTables<
        First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
        OptionalColumns<Record>, Never
    > { JoinOfMoreThanFourTables() }

    @available(*, unavailable, message: "join at most four tables; use `including:`, a subquery, or SQL")
    public func fullJoin<T: QueryTable>(
        _ table: T,
        on condition: (
            First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
            T.Source.IfMissing.Names
        ) -> Condition
    ) -> JoinOfMoreThanFourTables<
        First.IfMissing.Names, Second.IfMissing.Names, Third.IfMissing.Names, Fourth.IfMissing.Names,
        T.Source.IfMissing.Names, Never
    > { JoinOfMoreThanFourTables() }
}
