/// A prepared insert that takes the values of the columns in their order.
///
///     let insert = try connection.prepareInsert(into: User.table)
///     // A wrong type or number of values does not compile.
///     try insert.run(nil, "Ada", "ada@example.org", 36)
public final class PreparedInsert<each Value> {
    private let statement: Statement
    private let layout: RecordLayout
    private let isWritten: [Bool]

    init(_ statement: Statement, layout: RecordLayout, isWritten: [Bool]) {
        self.statement = statement
        self.layout = layout
        self.isWritten = isWritten
    }

    /// The SQL: `INSERT INTO "users"("id", "name", "email", "age") VALUES(?, ?, ?, ?)`.
    public var sql: String { statement.sql }

    /// Inserts a row. The value of a generated column is ignored.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func run(_ values: repeat each Value) throws -> Int64 {
        try statement.beginBinding(count: nil)
        var column = 0
        var parameter: Int32 = 0
        do {
            repeat try bind(each values, &column, &parameter)
            try statement.run()
        } catch {
            statement.clear()
            throw error
        }
        return statement.connection.lastInsertRowID
    }

    private func bind<T>(_ value: T, _ column: inout Int, _ parameter: inout Int32) throws {
        defer { column += 1 }
        guard isWritten[column] else { return }
        parameter += 1
        // The codecs have the order of the types: both come from one list of columns.
        try unsafeDowncast(layout.codecs[column] as AnyObject, to: ColumnCodec<T>.self)
            .bind(value, BindingDestination(statement: statement.handle, index: parameter, arena: statement.arena))
    }
}

extension Connection {
    /// Prepares an insert into a table. The compiler checks its values.
    ///
    ///     let insert = try connection.prepareInsert(into: User.table)
    ///     try insert.run(nil, "Ada", "ada@example.org", 36)
    ///
    /// - Throws: ``SQLiteError``, also when the file has no such table.
    public func prepareInsert<Record, Key, each Value>(
        into table: Table<Record, Key, (repeat each Value)>
    ) throws -> PreparedInsert<repeat each Value> {
        try table.core.check()
        return PreparedInsert(
            try prepare(table.core.insertSQL), layout: table.core.layout,
            isWritten: table.core.columns.map { $0.definition.generated == nil }
        )
    }
}
