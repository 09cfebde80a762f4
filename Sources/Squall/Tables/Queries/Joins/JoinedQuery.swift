/// A query on two tables. Its closures take the columns of both.
///
///     User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) }
///     // SELECT "users"."name", "posts"."title" FROM "users"
///     // JOIN "posts" ON "users"."id" = "posts"."author"
///
/// The rows are pairs of records, unless the query selects other values. A record is optional after an outer join: the second
/// after a left join, the first after a right join, both after a full join. The clauses are those of ``ClauseQuery1``, and their closures
/// take the columns of both tables. A join of three or four tables has the same.
public struct JoinedQuery<
    First: QuerySource, Second: QuerySource
>: ClauseQuery2 {
    let tables: (First, Second)
    @_documentation(visibility: internal)
    public var clauses: QueryClauses

    public typealias Output = (First.Output, Second.Output)

    @_documentation(visibility: internal)
    public var sources: (First.Names, Second.Names) {
        (tables.0.sourceNames, tables.1.sourceNames)
    }
    @_documentation(visibility: internal)
    public var rows: ResultColumns<First, Second> {
        ResultColumns(tables.0, tables.1)
    }
}

extension JoinedQuery {
    /// Adds a table that must have a matching row: `JOIN "posts" ON …`.
    public func join<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.Names, Second.Names, Columns<Record>) -> Condition
    ) -> JoinedQuery3<First, Second, Columns<Record>> {
        join(Record.table, on: condition)
    }

    /// Adds a table that must have a matching row. It is given by its declaration, as an alias or as a common table expression.
    public func join<T: QueryTable>(
        _ table: T, on condition: (First.Names, Second.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery3<First, Second, T.Source> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" JOIN ", table) { condition(old.0.sourceNames, old.1.sourceNames, $0.sourceNames) }
        return JoinedQuery3(tables: (old.0, old.1, new), clauses: clauses)
    }

    /// Adds a table whose columns are NULL where it has no matching row: `LEFT JOIN "posts" ON …`.
    public func leftJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.Names, Second.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery3<First, Second, OptionalColumns<Record>> {
        leftJoin(Record.table, on: condition)
    }

    /// Adds a table whose columns are NULL where it has no matching row. It is given by its declaration, as an alias or as a common table
    /// expression.
    public func leftJoin<T: QueryTable>(
        _ table: T, on condition: (First.Names, Second.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery3<First, Second, T.Source.IfMissing> {
        var clauses = clauses
        let old = tables
        let new = clauses.join(" LEFT JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, $0.sourceIfMissing.sourceNames)
        }
        return JoinedQuery3(tables: (old.0, old.1, new.sourceIfMissing), clauses: clauses)
    }

    /// Adds a table and keeps all its rows: `RIGHT JOIN "posts" ON …`.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<Record: TableRecord>(
        _ type: Record.Type, on condition: (First.IfMissing.Names, Second.IfMissing.Names, Columns<Record>) -> Condition
    ) -> JoinedQuery3<First.IfMissing, Second.IfMissing, Columns<Record>> {
        rightJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all its rows. It is given by its declaration, as an alias or as a common table expression.
    ///
    /// The columns of the other tables are NULL where they have no matching row.
    public func rightJoin<T: QueryTable>(
        _ table: T, on condition: (First.IfMissing.Names, Second.IfMissing.Names, T.Source.Names) -> Condition
    ) -> JoinedQuery3<First.IfMissing, Second.IfMissing, T.Source> {
        var clauses = clauses
        let old = (tables.0.sourceIfMissing, tables.1.sourceIfMissing)
        let new = clauses.join(" RIGHT JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, $0.sourceNames)
        }
        return JoinedQuery3(tables: (old.0, old.1, new), clauses: clauses)
    }

    /// Adds a table and keeps all rows of both sides: `FULL JOIN "posts" ON …`.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<Record: TableRecord>(
        _ type: Record.Type,
        on condition: (First.IfMissing.Names, Second.IfMissing.Names, OptionalColumns<Record>) -> Condition
    ) -> JoinedQuery3<First.IfMissing, Second.IfMissing, OptionalColumns<Record>> {
        fullJoin(Record.table, on: condition)
    }

    /// Adds a table and keeps all rows of both sides. It is given by its declaration, as an alias or as a common table expression.
    ///
    /// Columns are NULL where their table has no matching row.
    public func fullJoin<T: QueryTable>(
        _ table: T, on condition: (First.IfMissing.Names, Second.IfMissing.Names, T.Source.IfMissing.Names) -> Condition
    ) -> JoinedQuery3<First.IfMissing, Second.IfMissing, T.Source.IfMissing> {
        var clauses = clauses
        let old = (tables.0.sourceIfMissing, tables.1.sourceIfMissing)
        let new = clauses.join(" FULL JOIN ", table) {
            condition(old.0.sourceNames, old.1.sourceNames, $0.sourceIfMissing.sourceNames)
        }
        return JoinedQuery3(tables: (old.0, old.1, new.sourceIfMissing), clauses: clauses)
    }
}
