/// A query on a table.
///
///     User.where { $0.age > 17 }.order { $0.name.ascending }.limit(20, offset: 40)
///
/// The rows are the records of the table, unless the query selects other values. ``ClauseQuery`` has its clauses.
public struct Query<First: QuerySource>: ClauseQuery {
    @_documentation(visibility: internal)
    public let sources: First
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    /// The query for the records of the table.
    @_documentation(visibility: internal)
    public var select: Select<First.Output> { clauses.select(sources.reader) }
}

extension Query {
    /// Adds a table that must have a matching row: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Columns<Record>) -> Condition
    ) -> JoinedQuery<First, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table, given by its declaration, that must have a matching row: `JOIN "points" ON …`.
    public func join<T: RecordTable>(
        _ table: T, on condition: (First, Columns<T.Record>) -> Condition
    ) -> JoinedQuery<First, Columns<T.Record>> {
        adding(table.core, on: condition)
    }

    /// Adds a table whose columns are NULL where it has no matching row: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery<First, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table, given by its declaration, whose columns are NULL where it has no matching row: `LEFT JOIN "points" ON …`.
    public func leftJoin<T: RecordTable>(
        _ table: T, on condition: (First, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery<First, OptionalColumns<T.Record>> {
        adding(table.core, on: condition)
    }

    private func adding<New: JoinableSource>(
        _ core: TableCore<New.Record>, on condition: (First, New) -> Condition
    ) -> JoinedQuery<First, New> {
        let new = New(core: core, alias: clauses.alias(for: core))
        return JoinedQuery(
            sources: (sources, new), clauses: clauses.joined(to: new, on: condition(sources, new))
        )
    }
}
