/// A prepared insert that takes records, so that columns of equal types cannot be swapped.
///
///     let insertUser = try connection.prepareInsert(User.self)
///     for user in users { try insertUser.run(user) }
public final class PreparedRecordInsert<Record> {
    private let statement: Statement
    private let core: TableCore<Record>

    fileprivate init(_ statement: Statement, _ core: TableCore<Record>) {
        self.statement = statement
        self.core = core
    }

    /// The SQL: `INSERT INTO "users"("id", "name", "email", "age") VALUES(?, ?, ?, ?)`.
    public var sql: String { statement.sql }

    /// Inserts a record. The value of a generated column is ignored.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func run(_ record: Record) throws -> Int64 {
        do {
            try statement.bind(record, core.binders)
            try statement.run()
        } catch {
            statement.clear()
            throw error
        }
        return statement.connection.lastInsertRowID
    }
}

extension Connection {
    /// Prepares an insert of records: `INSERT INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    ///     let insertUser = try connection.prepareInsert(User.self)
    ///     try insertUser.run(user)
    ///
    /// - Throws: ``SQLiteError``, also when the file has no such table.
    public func prepareInsert<Record: TableRecord>(_ type: Record.Type) throws -> PreparedRecordInsert<Record> {
        try table(Record.table).prepareInsert()
    }
}

extension Connection.TableAccess {
    /// Prepares an insert of records: `INSERT INTO "points"("x", "y") VALUES(?, ?)`.
    ///
    ///     let insertPoint = try connection.table(points).prepareInsert()
    ///     try insertPoint.run(point)
    ///
    /// - Throws: ``SQLiteError``, also when the file has no such table.
    public func prepareInsert() throws -> PreparedRecordInsert<Record> {
        try core.check()
        return PreparedRecordInsert(try connection.prepare(core.insertSQL), core)
    }
}
