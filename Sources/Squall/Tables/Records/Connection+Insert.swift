extension Connection {
    /// Inserts a record: `INSERT INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    ///     let id = try connection.insert(User(id: nil, name: "Cy", email: nil, age: 3))
    ///
    /// SQLite assigns an integer key that is `nil`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @inlinable
    @discardableResult
    public func insert<Record: TableRecord>(_ record: Record) throws -> Int64 {
        try table(Record.table).insert(record)
    }

    /// Inserts a record, unless it breaks a constraint: `INSERT OR IGNORE INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    ///     if try connection.insert(user, orIgnore: true) == nil { … }  // there is such a user
    ///
    /// SQLite ignores a record that breaks a unique constraint, and also one that breaks `NOT NULL` or `CHECK`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - orIgnore: Whether such a record is ignored. With `false` it throws.
    /// - Returns: The rowid; `nil` for a record that was ignored.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a foreign key.
    @discardableResult
    public func insert<Record: TableRecord>(_ record: Record, orIgnore: Bool) throws -> Int64? {
        try table(Record.table).insert(record, orIgnore: orIgnore)
    }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write `insert(contentsOf: records)`")
    public func insert<Record: TableRecord>(_ records: some Sequence<Record>) throws {
        throw SQLiteError.unavailableError
    }
}

extension Connection.TableAccess {
    /// Inserts a record: `INSERT INTO "points"("x", "y") VALUES(?, ?)`.
    ///
    /// SQLite assigns an integer key that is `nil`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @inlinable
    @discardableResult
    public func insert(_ record: Record) throws -> Int64 {
        try core.check()
        try connection.run(core.insertSQL, with: record, core.binders)
        return connection.lastInsertRowID
    }

    /// Inserts a record, unless it breaks a constraint: `INSERT OR IGNORE INTO "points"("x", "y") VALUES(?, ?)`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - orIgnore: Whether such a record is ignored. With `false` it throws.
    /// - Returns: The rowid; `nil` for a record that was ignored.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a foreign key.
    @discardableResult
    public func insert(_ record: Record, orIgnore: Bool) throws -> Int64? {
        guard orIgnore else { return try insert(record) as Int64 }
        try core.check()
        try connection.run(core.insertSQL(or: .ignore), with: record, core.binders)
        return connection.changes > 0 ? connection.lastInsertRowID : nil
    }

    /// Inserts a record, and lets SQLite assign its key if the key is a rowid that cannot be `nil`.
    package func insertAssigningKey(_ record: Record) throws -> Int64 {
        guard let sql = core.insertWithoutKeySQL else { return try insert(record) }
        try core.check()
        try connection.run(sql, with: record, core.nonKeyBinders)
        return connection.lastInsertRowID
    }
}

extension TableCore {
    /// Returns `INSERT OR IGNORE INTO "users"("id", "name") VALUES(?, ?)`
    func insertSQL(or resolution: ConflictResolution) -> SQL {
        let names = columns.filter { $0.definition.generated == nil }.map(\.name)
        let parameters = binders.map { _ in "?" as SQL }.joined(separator: ", ")
        return """
            INSERT OR \(raw: resolution.rawValue) INTO \(name: definition.name)(\(names: names)) VALUES(\(parameters))
            """
    }
}
