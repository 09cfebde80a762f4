/// A query on seven tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery7`` has the clauses.
public struct ValueQuery7<
    Names1: Sendable, Names2: Sendable, Names3: Sendable, Names4: Sendable, Names5: Sendable, Names6: Sendable,
    Names7: Sendable, each Column: Selectable
>: ClauseQuery7 {
    @_documentation(visibility: internal)
    public let sources: (Names1, Names2, Names3, Names4, Names5, Names6, Names7)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}
