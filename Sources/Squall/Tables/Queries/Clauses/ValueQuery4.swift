/// A query on four tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery4`` has the clauses.
public struct ValueQuery4<
    Names1: Sendable, Names2: Sendable, Names3: Sendable, Names4: Sendable, each Column: Selectable
>: ClauseQuery4 {
    @_documentation(visibility: internal)
    public let sources: (Names1, Names2, Names3, Names4)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}
