/// A query for one page of the rows of another query: `User.order { $0.name }.page(after: cursor, size: 50)`.
///
/// ``Connection/page(_:)`` runs it.
public struct PageQuery<Item>: Sendable {
    /// The SQL, with the values that are bound to it. It selects one row more than the page has, which shows whether there is
    /// another page.
    public let sql: SQL
    let size: Int
    let order: PageOrder
    @usableFromInline let reader: SourceReader<Item>
    /// The index of the result column of each term of the order.
    private let indexes: [Int]

    fileprivate init(_ clauses: QueryClauses, _ reader: SourceReader<Item>, after cursor: PageCursor?, size: Int) {
        order = PageOrder(of: clauses, reader.columnSQL)
        self.size = max(size, 1)
        self.reader = reader
        var columns = reader.columnSQL
        indexes = order.terms.map { term in
            if let index = columns.firstIndex(of: term.expression) { return index }
            columns.append(term.expression)
            return columns.count - 1
        }
        var clauses = clauses
        if let cursor { clauses.addCondition(order.condition(after: cursor)) }
        clauses.orderings = order.orderings
        clauses.limit = self.size < Int.max ? self.size + 1 : self.size
        var sql = clauses.sql(selecting: columns.joined(separator: ", "), marking: reader.markedTables)
        if size < 1 { sql.fail(SQLiteError(PageProblem.pageSize(size))) }
        if let failure = order.failure { sql.fail(failure) }
        self.sql = sql
    }

    /// Returns the place of a row.
    func cursor(_ row: Row) throws -> PageCursor {
        let values = try indexes.map { index -> BindingValue in
            guard let value = row.sqliteValue(at: index) else { return .null }
            // Throws where SQLite has no memory to convert the text.
            if value.dataType == .text, value.data == nil { return .text(try row.value(at: index, form: nil)) }
            return value.bindingValue
        }
        return PageCursor(values: values, order: order.fingerprint)
    }
}

extension ClauseQuery {
    /// Returns the query for the page after a place in the order of this query.
    ///
    ///     let query = User.where { $0.age > 17 }.order { $0.name }
    ///     query.page(after: page.next, size: 50).sql
    ///     // SELECT … FROM "users"
    ///     // WHERE "users"."age" > ? AND ("users"."name", "users"."id") > (?, ?)
    ///     // ORDER BY "users"."name" ASC, "users"."id" ASC LIMIT ?
    ///
    /// The primary keys of the tables are the last terms of the order, so that every row has its own place. Rows that are inserted
    /// or deleted between two pages move no other row to another page, as they do with `limit(_:offset:)`. With an index on the
    /// order, a later page takes no longer than the first.
    ///
    /// Running the query throws ``PageProblem/notPageable(sql:)`` if this query has groups, `distinct` or a limit, a term of
    /// its order is SQL, or one of its tables is a common table expression. It throws
    /// ``PageProblem/cursorOfOtherOrder(sql:)`` for the cursor of a query with another order, and
    /// ``PageProblem/pageSize(_:)`` for a size below 1.
    ///
    /// - Parameters:
    ///   - cursor: The place after which the page begins; `nil` for the first page.
    ///   - size: The largest number of rows.
    public func page(after cursor: PageCursor? = nil, size: Int) -> PageQuery<Rows.Output> {
        PageQuery(clauses, rows.selectedReader, after: cursor, size: size)
    }
}

extension Connection {
    /// Returns one page of the rows of a query.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit.
    public func page<Item>(_ query: PageQuery<Item>) throws -> Page<Item> { try page(query) { _ in } }

    /// Returns one page, and calls a function for the row of each item.
    @usableFromInline
    func page<Item>(_ query: PageQuery<Item>, forEachRow: (Row) -> Void) throws -> Page<Item> {
        try withStatement(query.sql) { statement in
            var items: [Item] = []
            var last: PageCursor?
            var hasNext = false
            try statement.forEachRow { row in
                if items.count == query.size {
                    hasNext = true
                    return
                }
                items.append(try query.reader.read(row, 0))
                forEachRow(row)
                if items.count == query.size { last = try query.cursor(row) }
            }
            return Page(items: items, next: hasNext ? last : nil)
        }
    }

    /// Returns the page of a query's rows after a place in the order of the query.
    ///
    ///     let query = User.order { $0.name }
    ///     var page = try connection.page(query, size: 50)
    ///     while let next = page.next {
    ///         page = try connection.page(query, after: next, size: 50)
    ///     }
    ///
    /// See ``ClauseQuery/page(after:size:)`` for the queries that have pages.
    ///
    /// - Parameters:
    ///   - query: The query of all rows.
    ///   - cursor: The place after which the page begins; `nil` for the first page.
    ///   - size: The largest number of rows.
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit.
    public func page<Q: ClauseQuery>(
        _ query: Q, after cursor: PageCursor? = nil, size: Int
    ) throws -> Page<Q.Output> {
        try page(query.page(after: cursor, size: size))
    }
}
