import Squall

// The names and labels of SQLiteORM's README.

extension Storage {
    /// Opens a database; see ``init(_:_:)``.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) when the file cannot be opened, `SQLITE_MISUSE` (21) for two tables
    ///   of one record type.
    public convenience init(filename: String, _ tables: any RecordTable...) throws {
        try self.init(Database(filename.isEmpty ? ":memory:" : filename), tables)
    }

    /// Brings the file to the tables of the storage; see ``sync(preserve:)``.
    ///
    /// - Throws: ``SchemaError``, ``SQLiteError``.
    @discardableResult
    public func syncSchema(preserve: Bool) throws -> [String: SyncOutcome] { try sync(preserve: preserve) }

    /// Inserts a record, and returns its rowid; see ``insert(_:)``.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func insert<Record>(object record: Record) throws -> Int64 { try insert(record) }

    /// Inserts a record with its key, in place of the record that has this key; see ``replace(_:)``.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func replace<Record>(object record: Record) throws -> Int64 { try replace(record) }

    /// Updates the row with the key of a record; see ``update(_:)``.
    ///
    /// - Throws: ``SQLiteError``, also for a table without a primary key.
    @discardableResult
    public func update<Record>(object record: Record) throws -> Bool { try update(record) }

    /// Deletes the row with the key of a record; see ``delete(_:)``.
    ///
    /// - Throws: ``SQLiteError``, also for a table without a primary key.
    @discardableResult
    public func delete<Record>(object record: Record) throws -> Bool { try delete(record) }

    /// Returns all records; see ``all(_:where:)``.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func getAll<Record>() throws -> [Record] { try all() }
}
