/// A query with the type of the value that it makes from a row. It can be stored, passed on and run on any connection.
///
///     let titles = User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) }
///     titles.sql                           // SELECT "users"."name", "posts"."title" FROM "users" JOIN "posts" ON …
///     try connection.all(titles)           // [(String, String)]
public struct Select<Output>: Selection {
    /// The SQL, with the values that are bound to it.
    public let sql: SQL
    @usableFromInline let reader: @Sendable (Row) throws -> Output
    /// The form in which the values are stored, of a query for one expression.
    let form: StoredForm
    /// The forms in which the values are stored, of a query for several expressions.
    var forms: [StoredForm] = []

    init(_ sql: SQL, form: StoredForm = .plain, reader: @escaping @Sendable (Row) throws -> Output) {
        self.sql = sql
        self.form = form
        self.reader = reader
    }

    @_documentation(visibility: internal)
    public var select: Select { self }
}

/// A query that a connection can run: a ``Select`` or a ``Query``.
public protocol Selection<Output>: Sendable {
    associatedtype Output

    /// The query.
    var select: Select<Output> { get }
}

extension Selection {
    /// The SQL, with the values that are bound to it.
    public var sql: SQL { select.sql }
}
