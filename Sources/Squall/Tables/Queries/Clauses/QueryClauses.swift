/// The clauses of a query.
@_documentation(visibility: internal)
public struct QueryClauses: Sendable {
    /// The tables with their joins.
    private var tables: [JoinedTable] = []
    /// The names of the tables in the query.
    @usableFromInline var names: [String] = []
    private var commonTables: [CommonTableDefinition] = []
    /// The reason why one of the tables cannot be used.
    private var failure: (any Error)?
    var isDistinct = false
    var condition: Condition?
    var groups: [SQL] = []
    var having: Condition?
    var orderings: [Ordering] = []
    @usableFromInline var limit: Int?
    @usableFromInline var offset: Int?

    @usableFromInline
    package init() {}

    /// Begins with a table: `FROM "users"`.
    init(_ entry: TableEntry) {
        _ = begin(with: entry)
    }

    @usableFromInline
    package mutating func addCondition(_ condition: Condition) {
        self.condition = self.condition.map { $0 && condition } ?? condition
    }

    @usableFromInline
    mutating func addOrder(_ terms: [Ordering]) {
        if orderings.isEmpty { orderings = terms } else { orderings += terms }
    }

    mutating func addHaving(_ condition: Condition) {
        having = having.map { $0 && condition } ?? condition
    }

    /// Runs a closure of the query. Queries that begin in it are subqueries of this one.
    ///
    /// A query that began in a closure of another one has other names than that one. A query that began before may have the same
    /// name, which would mean the wrong table in one of them: it fails.
    @inlinable
    mutating func inScope<Result>(_ body: () -> Result) -> Result {
        checkNames()
        return QueryScope.run(names: names, body)
    }

    @usableFromInline
    mutating func checkNames() {
        if let hidden = names.first(where: { QueryScope.contains($0) }) {
            failure = failure ?? SQLiteError(QueryProblem.hiddenTable(name: hidden))
        }
    }

    /// Begins with a table: `FROM "users"`.
    ///
    /// - Returns: The name of the table in the query, if it is not its own.
    @usableFromInline
    package mutating func begin(with entry: TableEntry) -> String? {
        let alias = enter(entry)
        tables.append(JoinedTable(entry, alias: alias))
        return alias
    }

    /// Adds a table: `JOIN "posts" ON …`
    mutating func join<T: QueryTable>(
        _ words: SQL, _ table: T, on condition: (T.Source) -> Condition
    ) -> T.Source {
        let entry = table.entry
        let alias = enter(entry)
        let source = table.source(named: alias)
        let condition = inScope { condition(source) }
        tables.append(JoinedTable(entry, alias: alias, words: words, condition: condition.sql))
        return source
    }

    /// Adds a table without columns for closures.
    ///
    /// - Returns: The name of the table in the query.
    package mutating func join(_ words: SQL, _ entry: TableEntry, on condition: (String) -> SQL) -> String {
        let alias = enter(entry)
        let name = alias ?? entry.name
        tables.append(JoinedTable(entry, alias: alias, words: words, condition: condition(name)))
        return name
    }

    /// Adds the name of a table.
    ///
    /// - Returns: The name of the table in the query, if it is not its own: `"users" AS "users_2"`.
    private mutating func enter(_ entry: TableEntry) -> String? {
        let wanted = entry.alias ?? entry.name
        var name = wanted
        var number = 2
        while isUsed(name) {
            name = "\(wanted)_\(number)"
            number += 1
        }
        names.append(name)
        failure = failure ?? entry.failure
        let alias = name == entry.name ? nil : name
        define(entry)
        return alias
    }

    private func isUsed(_ name: String) -> Bool {
        QueryScope.contains(name) || !names.isEmpty && names.contains { $0.isSameName(as: name) }
    }

    /// Adds the definition of a common table expression. Several uses of one share it.
    private mutating func define(_ entry: TableEntry) {
        guard case .common(let definition) = entry.kind else { return }
        let known = commonTables.first { Identifier($0.name) == Identifier(definition.name) }
        if known == nil { commonTables.append(definition) }
        if let known, known.sql != definition.sql {
            failure = failure ?? SQLiteError(QueryProblem.repeatedTableName(definition.name))
        }
    }

    /// Whether the query is nothing but its tables, its condition and its order.
    var isPlain: Bool { !isDistinct && groups.isEmpty && having == nil && limit == nil && offset == nil }

    /// The terms of an order by the primary keys of the tables, table by table; `nil` if one of them is not in the schema.
    var keyTerms: [(table: String, terms: [OrderTerm])]? {
        guard tables.allSatisfy(\.entry.kind.isTable) else { return nil }
        // A table that is alone has its row. In a join, an outer one may be missing: NULLs cost no more there.
        return tables.filter { !$0.entry.kind.isIndex }.map { table in
            (table.entry.name, table.entry.keys.map { $0.term(table.alias, isOptional: tables.count > 1) })
        }
    }

    /// Whether the query can be a part of a compound query as it is.
    private var shape: SelectShape {
        orderings.isEmpty && limit == nil && offset == nil && commonTables.isEmpty ? .simple : .other
    }

    /// Returns the SQL of the query for a list of expressions.
    ///
    /// - Parameter marked: The names of the tables with the column ``RowMarker/name``.
    func sql(selecting list: SQL, marking marked: [String] = [], isOrdered: Bool = true) -> SQL {
        CommonTableDefinition.sql(commonTables, body(selecting: list, marking: marked, isOrdered: isOrdered))
    }

    /// Returns the SQL without the WITH clause.
    private func body(selecting list: SQL, marking marked: [String], isOrdered: Bool = true) -> SQL {
        var sql: SQL = isDistinct ? "SELECT DISTINCT " : "SELECT "
        // Enough for most queries.
        sql.reserveCapacity(24)
        sql += list
        sql.append(" FROM ")
        for table in tables { table.append(to: &sql, isMarked: marked.contains(table.name)) }
        if let condition {
            sql.append(" WHERE ")
            sql += condition.sql
        }
        if !groups.isEmpty {
            sql.append(" GROUP BY ")
            sql += groups.joined(separator: ", ")
        }
        if let having {
            sql.append(" HAVING ")
            sql += having.sql
        }
        if isOrdered {
            for index in orderings.indices {
                sql.append(index == 0 ? " ORDER BY " : ", ")
                orderings[index].append(to: &sql)
            }
        }
        sql.appendLimit(limit, offset: offset)
        if let failure { sql.fail(failure) }
        return sql
    }

    /// Returns the query for selected columns.
    @inlinable
    func select<Output>(_ reader: SourceReader<Output>) -> Select<Output> {
        Select(statement(selecting: reader.columns), reader)
    }

    @usableFromInline
    func statement(selecting columns: SelectedColumns) -> SelectStatement {
        let body = body(selecting: columns.list, marking: columns.markedTables)
        // A limit can be much larger than the number of rows.
        let expectedCount = limit.map { Swift.min($0, 64) } ?? 0
        if commonTables.isEmpty { return SelectStatement(body, shape, expectedCount: expectedCount) }
        return SelectStatement(
            CommonTableDefinition.sql(commonTables, body), shape, SelectParts(body, commonTables: commonTables),
            expectedCount: expectedCount)
    }
}

/// A table in the FROM clause: `"users"`, or ` LEFT JOIN "posts" ON …`
private struct JoinedTable {
    let entry: TableEntry
    /// The name in the query, where it is not the table's own.
    let alias: String?
    let words: SQL
    let condition: SQL?

    init(_ entry: TableEntry, alias: String?, words: SQL = "", condition: SQL? = nil) {
        self.entry = entry
        self.alias = alias
        self.words = words
        self.condition = condition
    }

    /// The name in the query.
    var name: String { alias ?? entry.name }

    /// Appends the SQL of the table, which is a subquery if it is marked: `(SELECT *, 1 AS "squall_row" FROM "posts") AS "posts"`.
    ///
    /// SQLite uses the indexes of the table also in a subquery, except in a FULL JOIN and for DISTINCT.
    func append(to sql: inout SQL, isMarked: Bool) {
        sql += words
        if isMarked {
            sql += "(SELECT *, 1 AS \(name: RowMarker.name) FROM \(entry.sql)) AS \(name: name)"
        } else {
            sql += entry.sql
            if let alias { sql += " AS \(name: alias)" }
        }
        if let condition {
            sql.append(" ON ")
            sql += condition
        }
    }
}
