/// A query with the type of what it makes of each row. It can be kept, passed on and run on any connection.
///
///     let titles = User.join(Post.self) { $0.id == $1.author }.select { ($0.name, $1.title) }
///     titles.sql                           // SELECT "users"."name", "posts"."title" FROM "users" JOIN "posts" ON …
///     try connection.all(titles)           // [(String, String)]
public struct Select<Output>: Selection {
    /// The SQL, with the values that are bound to it.
    public let sql: SQL
    @usableFromInline let reader: @Sendable (Row) throws -> Output
    /// How the values are stored, of a query for one expression.
    let form: StoredForm

    init(_ sql: SQL, form: StoredForm = .plain, reader: @escaping @Sendable (Row) throws -> Output) {
        self.sql = sql
        self.form = form
        self.reader = reader
    }

    public var select: Select { self }
}

/// What can be run as a query: a ``Select``, or a ``Query``.
public protocol Selection<Output>: Sendable {
    associatedtype Output

    /// The query.
    var select: Select<Output> { get }
}

extension Selection {
    /// The SQL, with the values that are bound to it.
    public var sql: SQL { select.sql }
}

/// Reads the values of selected expressions.
struct ValueReader {
    let row: Row
    let forms: [AnyStorageForm?]
    var index = 0

    mutating func next<Value: ColumnValue>(_ type: Value.Type) throws -> Value {
        defer { index += 1 }
        // A row has as many columns as the statement selects.
        guard let value = row.sqliteValue(at: index) else { throw row.failure(at: index, expected: Int.self) }
        do throws(ArgumentError) {
            guard let form = forms[index], !value.isNull else { return try Value.fromArgument(value) }
            if let result = form.decode(value) as? Value { return result }
            return try Value.fromArgument(value)
        } catch {
            let layout = row.storage.layout
            throw ConversionError(
                error.reason, columnIndex: index, columnName: layout.names[index], tableName: nil, sql: layout.sql
            )
        }
    }
}
