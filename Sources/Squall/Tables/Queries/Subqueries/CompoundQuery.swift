/// Several queries for the same values, with UNION, UNION ALL, INTERSECT or EXCEPT between them.
///
///     let names = User.select { $0.name }.union(Company.select { $0.title })
///     names.order { $0.ascending }.limit(10)
///     // SELECT "users"."name" FROM "users"
///     // UNION SELECT "companies"."title" FROM "companies" ORDER BY 1 ASC LIMIT 10
///
/// A part that has an order, a limit or a WITH clause becomes `SELECT * FROM (…)`. The query throws if the parts store a
/// column in different forms.
public struct CompoundQuery<Rows: QuerySource>: Selection {
    @_documentation(visibility: internal)
    public let rows: Rows
    private let parts: SQL
    private let operators: [CompoundOperator]
    private let reader: SourceReader<Rows.Output>
    private var orderings: [Ordering] = []
    private var limit: Int?
    private var offset: Int?

    public typealias Output = Rows.Output

    fileprivate init(_ rows: Rows, _ first: Select<Output>, _ word: CompoundOperator, _ second: Select<Output>) {
        self.rows = rows
        reader = first.reader
        operators = (first.shape == .compound ? first.parts?.operators ?? [] : []) + [word]
        var parts = first.asFirstPart + word.sql + second.asLaterPart
        parts.check(first.forms, fit: second.forms)
        self.parts = parts
    }

    /// Adds terms of the order: `ORDER BY 2 DESC`.
    ///
    ///     let rows = a.union(b)          // of (String, Int)
    ///     rows.order { $1.descending; $0.ascending }
    ///     // … ORDER BY 2 DESC, 1 ASC
    ///
    /// The closure takes the columns of the result, as the first query selects them. SQLite orders a compound query only by whole
    /// columns; it refuses expressions of them.
    public func order(@ListBuilder<Ordering> _ terms: (Rows.Names) -> [Ordering]) -> CompoundQuery {
        var place = SourcePlace(table: nil)
        var query = self
        query.orderings += terms(rows.selectedPlaced(at: &place).sourceNames)
        return query
    }

    /// Sets the limit: `LIMIT ? OFFSET ?`. A negative number makes the query throw.
    public func limit(_ limit: Int, offset: Int? = nil) -> CompoundQuery {
        var query = self
        query.limit = limit
        query.offset = offset
        return query
    }

    @_documentation(visibility: internal)
    public var select: Select<Rows.Output> {
        var sql = parts
        if !orderings.isEmpty { sql += " ORDER BY " + orderings.map(\.sql).joined(separator: ", ") }
        sql += SQL.limit(limit, offset: offset)
        let isWhole = orderings.isEmpty && limit == nil && offset == nil
        return Select(sql, reader, isWhole ? .compound : .other, SelectParts(sql, operators: operators))
    }
}

/// An operator between two queries.
enum CompoundOperator: String {
    case union = "UNION"
    case unionAll = "UNION ALL"
    case intersect = "INTERSECT"
    case except = "EXCEPT"

    var sql: SQL { " \(raw: rawValue) " }
}

extension Selection {
    /// Returns the rows of both queries, without duplicates: `SELECT … UNION SELECT …`
    public func union(_ other: some Selection<Output>) -> CompoundQuery<Rows> {
        CompoundQuery(rows, select, .union, other.select)
    }

    /// Returns the rows of both queries: `SELECT … UNION ALL SELECT …`
    public func unionAll(_ other: some Selection<Output>) -> CompoundQuery<Rows> {
        CompoundQuery(rows, select, .unionAll, other.select)
    }

    /// Returns the rows that are in both queries, without duplicates: `SELECT … INTERSECT SELECT …`
    public func intersect(_ other: some Selection<Output>) -> CompoundQuery<Rows> {
        CompoundQuery(rows, select, .intersect, other.select)
    }

    /// Returns the rows of this query that the other does not have, without duplicates: `SELECT … EXCEPT SELECT …`
    public func except(_ other: some Selection<Output>) -> CompoundQuery<Rows> {
        CompoundQuery(rows, select, .except, other.select)
    }
}

extension Select {
    /// The SQL as the first part of a compound query.
    var asFirstPart: SQL { shape == .other ? "SELECT * FROM (\(sql))" : sql }

    /// The SQL as a later part. SQLite evaluates the operators from left to right.
    fileprivate var asLaterPart: SQL { shape == .simple ? sql : "SELECT * FROM (\(sql))" }
}

extension SQL {
    /// Makes the query throw when two of its parts store a column in different forms.
    mutating func check(_ forms: [ColumnForm], fit others: [ColumnForm]) {
        for (form, other) in zip(forms, others) { check(form.stored, fits: other.stored) }
    }
}
