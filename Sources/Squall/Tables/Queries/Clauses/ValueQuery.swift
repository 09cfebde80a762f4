/// A query for values of expressions, and for records. Its closures take the columns of its table.
///
///     let cities = User.group { $0.city }.select { ($0.city, $0.id.count()) }
///     try connection.all(cities.having { $0.id.count() > 1 })          // [(String, Int)]
///
/// ``ClauseQuery1`` has the clauses.
public struct ValueQuery<Names: Sendable, each Column: Selectable>: ClauseQuery1 {
    @_documentation(visibility: internal)
    public let sources: Names
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}
