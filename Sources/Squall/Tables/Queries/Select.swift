/// A query with the type of the value that it makes from a row. It can be stored, passed on and run on any connection.
///
///     let titles = User.join(Post.self) { $0.id == $1.author }
///         .select { ($0.name, $1.title) }
///     titles.sql
///     // SELECT "users"."name", "posts"."title" FROM "users" JOIN "posts" ON …
///     try connection.all(titles)  // [(String, String)]
public struct Select<Output>: Selection {
    @usableFromInline let statement: SelectStatement
    @usableFromInline let reader: SourceReader<Output>

    @usableFromInline
    init(_ statement: SelectStatement, _ reader: SourceReader<Output>) {
        self.statement = statement
        self.reader = reader
    }

    init(_ sql: SQL, _ reader: SourceReader<Output>, _ shape: SelectShape, _ parts: SelectParts? = nil) {
        self.init(SelectStatement(sql, shape, parts), reader)
    }

    /// The SQL, with the values that are bound to it.
    @inlinable public var sql: SQL { statement.sql }
    var shape: SelectShape { statement.shape }

    /// Returns this query with other SQL that returns the same rows.
    package func reading(_ sql: SQL) -> Select {
        Select(SelectStatement(sql, shape, expectedCount: statement.expectedCount), reader)
    }

    var parts: SelectParts? { statement.parts }

    /// The form of each column.
    var forms: [ColumnForm] { reader.forms }

    @_documentation(visibility: internal)
    public var select: Select { self }
}

/// The SQL of a query, without the type of its rows.
@usableFromInline
struct SelectStatement: Sendable {
    @usableFromInline let sql: SQL
    let shape: SelectShape
    /// The parts of a query that is more than one `SELECT`; `nil` for others.
    let parts: SelectParts?
    /// The number of rows for which an array makes room, where the query has a limit; 0 for others.
    ///
    /// Reading 20 records without it took 3 % of the instructions of the query to move them into larger arrays.
    @usableFromInline let expectedCount: Int

    init(_ sql: SQL, _ shape: SelectShape, _ parts: SelectParts? = nil, expectedCount: Int = 0) {
        self.sql = sql
        self.shape = shape
        self.parts = parts
        self.expectedCount = expectedCount
    }
}

/// The parts of a query with a WITH clause or operators, where it becomes the step of a recursive one.
final class SelectParts: Sendable {
    let commonTables: [CommonTableDefinition]
    /// The query without its WITH clause.
    let body: SQL
    let operators: [CompoundOperator]

    init(_ body: SQL, commonTables: [CommonTableDefinition] = [], operators: [CompoundOperator] = []) {
        self.commonTables = commonTables
        self.body = body
        self.operators = operators
    }
}

/// The form of a query as a part of a compound query.
enum SelectShape {
    /// `SELECT … FROM …` without a WITH clause, an order or a limit.
    case simple
    /// Several of them, with operators between them.
    case compound
    /// Any other query, which must be in parentheses.
    case other
}

/// A query that a connection can run: a ``Select``, a ``Query``, a ``CompoundQuery`` …
public protocol Selection<Output>: Sendable {
    associatedtype Output
    /// The columns of the query, where it becomes a common table expression or a part of a compound query.
    associatedtype Rows: QuerySource = MadeRows<Output> where Rows.Output == Output

    /// The query.
    var select: Select<Output> { get }
    @_documentation(visibility: internal)
    var rows: Rows { get }
}

extension Selection {
    /// The SQL, with the values that are bound to it.
    public var sql: SQL { select.sql }
}

extension Selection where Rows == MadeRows<Output> {
    @_documentation(visibility: internal)
    public var rows: MadeRows<Output> { MadeRows(selectedReader: select.reader) }
}
