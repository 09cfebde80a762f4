/// A query on three tables. Its closures take the columns of all.
///
/// The rows are triples of records, unless the query selects other values. Records are optional after a left join.
/// ``ClauseQuery`` has the clauses.
public struct JoinedQuery3<First: QuerySource, Second: QuerySource, Third: QuerySource>: ClauseQuery {
    @_documentation(visibility: internal)
    public let sources: (First, Second, Third)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    /// The query for the records of the tables.
    @_documentation(visibility: internal)
    public var select: Select<(First.Output, Second.Output, Third.Output)> {
        let two = sources.0.reader.followed(by: sources.1.reader) { ($0, $1) }
        return clauses.select(two.followed(by: sources.2.reader) { ($0.0, $0.1, $1) })
    }
}
