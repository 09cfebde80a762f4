/// A query on two tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery2`` has the clauses.
public struct ValueQuery2<Names1: Sendable, Names2: Sendable, each Column: Selectable>: ClauseQuery2 {
    @_documentation(visibility: internal)
    public let sources: (Names1, Names2)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}
