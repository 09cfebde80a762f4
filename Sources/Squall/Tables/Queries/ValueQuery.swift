/// A query for values of expressions, and for records. Its closures take the columns of its tables.
///
///     let cities = User.group { $0.city }.select { ($0.city, $0.id.count()) }
///     try connection.all(cities.having { $0.id.count() > 1 })          // [(String, Int)]
///
/// ``ClauseQuery`` has the clauses.
public struct ValueQuery<Sources: Sendable, each Column: Selectable>: ClauseQuery {
    @_documentation(visibility: internal)
    public let sources: Sources
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}
