/// A query on three tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery3`` has the clauses.
public struct ValueQuery3<Names1: Sendable, Names2: Sendable, Names3: Sendable, each Column: Selectable>: ClauseQuery3 {
    @_documentation(visibility: internal)
    public let sources: (Names1, Names2, Names3)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}
