/// A query with a name, which other queries use as a table: a common table expression.
///
///     let ranked = Score.group { $0.user }.select { ($0.user, $0.points.sum()) }
///         .named("ranked")
///     User.join(ranked) { $0.id == $1.0 }.where { _, ranked in ranked.1 > 100 }
///     // WITH "ranked"("c1", "c2") AS (
///     //     SELECT "scores"."user", sum("scores"."points") FROM "scores" GROUP BY …)
///     // SELECT … FROM "users" JOIN "ranked" ON "users"."id" = "ranked"."c1"
///     // WHERE "ranked"."c2" > 100
///
/// Its columns in closures are what the query selects: a tuple of expressions (`$1.0`), a single expression, or the columns of a
/// record (`$1.name`). A query that uses it defines it in its WITH clause, once.
public struct CommonTable<Rows: QuerySource>: QueryTable {
    let name: String
    let rows: Rows
    /// The definition; `nil` inside the definition itself.
    let definition: CommonTableDefinition?

    @_documentation(visibility: internal)
    public var entry: TableEntry {
        TableEntry(name, definition.map { .common($0) } ?? .recursion)
    }

    @_documentation(visibility: internal)
    public func source(named alias: String?) -> Rows {
        var place = SourcePlace(
            table: alias ?? name, hasNames: rows.selectedNames != nil, isRecursion: definition == nil
        )
        return rows.selectedPlaced(at: &place)
    }
}

/// A definition in a WITH clause: `"ranked"("c1", "c2") AS (SELECT …)`.
struct CommonTableDefinition: Sendable {
    let name: String
    let sql: SQL
    var isRecursive = false

    init<Rows: QuerySource>(_ name: String, columns rows: Rows, count: Int, _ query: SQL, isRecursive: Bool = false) {
        let columns = rows.selectedNames ?? (0..<count).map(SourcePlace.columnName)
        self.name = name
        self.sql = "\(name: name)(\(names: columns)) AS (\(query))"
        self.isRecursive = isRecursive
    }

    /// Returns a query with definitions in a WITH clause.
    static func sql(_ definitions: [CommonTableDefinition], _ query: SQL) -> SQL {
        guard !definitions.isEmpty else { return query }
        var sql: SQL = definitions.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH "
        sql += definitions.map(\.sql).joined(separator: ", ") + " " + query
        // SQLite would read the common table expression in place of the table, also inside other definitions and subqueries.
        for table in definitions where sql.tables.contains(where: { Identifier($0) == Identifier(table.name) }) {
            sql.fail(SQLiteError(QueryProblem.repeatedTableName(table.name)))
        }
        return sql
    }
}

extension Selection {
    /// Returns the query as a common table expression, which other queries use as a table.
    ///
    ///     let adults = User.where { $0.age > 17 }.named("adults")
    ///     adults.order { $0.name.ascending }
    ///     // WITH "adults"("id", "name", "age") AS (
    ///     //     SELECT … FROM "users" WHERE "users"."age" > 17)
    ///     // SELECT … FROM "adults" ORDER BY "adults"."name" ASC
    public func named(_ name: String) -> CommonTable<Rows> {
        let (rows, select) = (rows, select)
        let definition = CommonTableDefinition(name, columns: rows, count: select.forms.count, select.sql)
        return CommonTable(name: name, rows: rows, definition: definition)
    }
}

extension Query {
    /// Adds a common table expression: `WITH "ranked"("c1", "c2") AS (SELECT …) SELECT … JOIN "ranked" ON …`
    public func with<Common: Selection>(
        _ name: String, _ query: Common, on condition: (First.Names, Common.Rows.Names) -> Condition
    ) -> JoinedQuery<First, Common.Rows> {
        join(query.named(name), on: condition)
    }
}

extension TableRecord {
    /// Begins a query with a common table expression: `WITH "ranked"("c1", "c2") AS (SELECT …) SELECT … JOIN "ranked" ON …`
    ///
    ///     let points = Score.group { $0.user }.select { ($0.user, $0.points.sum()) }
    ///     User.with("ranked", points) { user, ranked in
    ///         user.id == ranked.0
    ///     }
    public static func with<Common: Selection>(
        _ name: String, _ query: Common, on condition: (Columns<Self>, Common.Rows.Names) -> Condition
    ) -> JoinedQuery<Columns<Self>, Common.Rows> {
        self.query.with(name, query, on: condition)
    }
}
