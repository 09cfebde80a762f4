/// A query on two tables. Its closures take the columns of both.
///
///     User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) }
///     // SELECT "users"."name", "posts"."title" FROM "users" JOIN "posts" ON "users"."id" = "posts"."author"
///
/// The rows are pairs of records, unless the query selects other values. The second record is optional after a left join.
/// ``ClauseQuery`` has the clauses.
public struct JoinedQuery<First: QuerySource, Second: QuerySource>: ClauseQuery {
    @_documentation(visibility: internal)
    public let sources: (First, Second)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    /// The query for the records of both tables.
    @_documentation(visibility: internal)
    public var select: Select<(First.Output, Second.Output)> {
        clauses.select(sources.0.reader.followed(by: sources.1.reader) { ($0, $1) })
    }
}

extension JoinedQuery {
    /// Adds a table that must have a matching row: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Second, Columns<Record>) -> Condition
    ) -> JoinedQuery3<First, Second, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table, given by its declaration, that must have a matching row: `JOIN "points" ON …`.
    public func join<T: RecordTable>(
        _ table: T, on condition: (First, Second, Columns<T.Record>) -> Condition
    ) -> JoinedQuery3<First, Second, Columns<T.Record>> {
        adding(table.core, on: condition)
    }

    /// Adds a table whose columns are NULL where it has no matching row: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First, Second, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery3<First, Second, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table, given by its declaration, whose columns are NULL where it has no matching row: `LEFT JOIN "points" ON …`.
    public func leftJoin<T: RecordTable>(
        _ table: T, on condition: (First, Second, OptionalColumns<T.Record>) -> Condition
    ) -> JoinedQuery3<First, Second, OptionalColumns<T.Record>> {
        adding(table.core, on: condition)
    }

    private func adding<New: JoinableSource>(
        _ core: TableCore<New.Record>, on condition: (First, Second, New) -> Condition
    ) -> JoinedQuery3<First, Second, New> {
        let new = New(core: core, alias: clauses.alias(for: core))
        return JoinedQuery3(
            sources: (sources.0, sources.1, new),
            clauses: clauses.joined(to: new, on: condition(sources.0, sources.1, new))
        )
    }
}
