/// A query on seven tables. Its closures take the columns of all.
///
/// The rows are tuples of records, unless the query selects other values. Records are optional after an outer join.
/// ``ClauseQuery7`` has the clauses.
public struct JoinedQuery7<
    First: QuerySource, Second: QuerySource, Third: QuerySource, Fourth: QuerySource, Fifth: QuerySource,
    Sixth: QuerySource, Seventh: QuerySource
>: ClauseQuery7 {
    let tables: (First, Second, Third, Fourth, Fifth, Sixth, Seventh)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    public typealias Output = (
        First.Output, Second.Output, Third.Output, Fourth.Output, Fifth.Output, Sixth.Output, Seventh.Output
    )

    @_documentation(visibility: internal)
    public var sources: (First.Names, Second.Names, Third.Names, Fourth.Names, Fifth.Names, Sixth.Names, Seventh.Names)
    {
        (
            tables.0.sourceNames, tables.1.sourceNames, tables.2.sourceNames, tables.3.sourceNames,
            tables.4.sourceNames, tables.5.sourceNames, tables.6.sourceNames
        )
    }
    @_documentation(visibility: internal)
    public var rows: ResultColumns<First, Second, Third, Fourth, Fifth, Sixth, Seventh> {
        ResultColumns(tables.0, tables.1, tables.2, tables.3, tables.4, tables.5, tables.6)
    }
}
