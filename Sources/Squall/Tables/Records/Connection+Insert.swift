extension Connection {
    /// Inserts a record: `INSERT INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    ///     let id = try connection.insert(User(id: nil, name: "Cy", email: nil, age: 3))
    ///
    /// Where an integer key is `nil`, SQLite assigns it.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``.
    @inlinable
    @discardableResult
    public func insert<Record: TableRecord>(_ record: Record) throws -> Int64 {
        try insert(record, into: Record.table)
    }

    /// Inserts a record into a table.
    @inlinable
    @discardableResult
    public func insert<T: RecordTable>(_ record: T.Record, into table: T) throws -> Int64 {
        let core = table.core
        try core.check()
        try run(core.insertSQL, with: record, core.writers)
        return lastInsertRowID
    }

    /// Inserts a record with its key in place of any that breaks a unique constraint:
    /// `INSERT OR REPLACE INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public func replace<Record: TableRecord>(_ record: Record) throws -> Int64 {
        try replace(record, into: Record.table)
    }

    /// Inserts a record into a table, in place of any that breaks a unique constraint.
    @discardableResult
    public func replace<T: RecordTable>(_ record: T.Record, into table: T) throws -> Int64 {
        let core = table.core
        try core.check()
        try run(core.replaceSQL, with: record, core.writers)
        return lastInsertRowID
    }

    /// Inserts a record, or updates the one that is there already:
    /// `INSERT INTO … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name"`.
    ///
    ///     try connection.upsert(user, onConflict: \.email)
    ///
    /// - Parameter columns: The columns of the unique constraint; the primary key when they are left out. They and the
    ///   primary key stay as they are.
    /// - Throws: ``SQLiteError``, also for a record whose key is `nil` where the key is to be in conflict: it would be inserted
    ///   each time.
    public func upsert<Record: TableRecord>(_ record: Record, onConflict columns: PartialKeyPath<Record>...) throws {
        try upsert(record, Record.table.core, columns)
    }

    /// Inserts a record into a table, or updates the one that is there already.
    public func upsert<T: RecordTable>(
        _ record: T.Record, into table: T, onConflict columns: PartialKeyPath<T.Record>...
    ) throws {
        try upsert(record, table.core, columns)
    }

    private func upsert<Record>(
        _ record: Record, _ core: TableCore<Record>, _ columns: [PartialKeyPath<Record>]
    ) throws {
        try columns.isEmpty ? core.requireKey() : core.check()
        let target = try columns.isEmpty ? core.keys.map(\.name) : columns.map { try core.requireColumn($0).name }
        if core.keys.contains(where: { target.contains($0.name) }) { try core.requireKeyValue(of: record) }
        try run(core.upsertSQL(onConflict: target), with: record, core.writers)
    }
}

extension TableCore {
    /// `INSERT INTO … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name"`
    func upsertSQL(onConflict target: [String]) -> SQL {
        let kept = Set(target + keys.map(\.name))
        let names = columns.filter { $0.definition.generated == nil }.map(\.name).filter { !kept.contains($0) }
        let action: SQL = names.isEmpty ? "NOTHING" : "UPDATE SET \(SQL.excluded(names))"
        return "\(insertSQL) ON CONFLICT(\(names: target)) DO \(action)"
    }
}
