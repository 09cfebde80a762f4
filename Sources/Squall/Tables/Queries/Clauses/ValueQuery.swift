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

/// A query on two tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery2`` has the clauses.
@_documentation(visibility: internal)
public struct ValueQuery2<Names1: Sendable, Names2: Sendable, each Column: Selectable>: ClauseQuery2 {
    @_documentation(visibility: internal)
    public let sources: (Names1, Names2)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}

/// A query on three tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery3`` has the clauses.
@_documentation(visibility: internal)
public struct ValueQuery3<Names1: Sendable, Names2: Sendable, Names3: Sendable, each Column: Selectable>: ClauseQuery3 {
    @_documentation(visibility: internal)
    public let sources: (Names1, Names2, Names3)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses
    @_documentation(visibility: internal)
    public let rows: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)
}

/// A query on four tables for values of expressions, and for records. Its closures take the columns of all tables.
///
/// ``ClauseQuery4`` has the clauses.
@_documentation(visibility: internal)
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
