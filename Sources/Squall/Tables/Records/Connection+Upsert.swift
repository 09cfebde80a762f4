extension Connection {
    /// Inserts a record, or updates the row that it would break a unique constraint with:
    /// `INSERT INTO … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name"`.
    ///
    ///     try connection.upsert(user, onConflict: \.email)
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns of the unique constraint; by default the primary key. Neither they nor the primary key are
    ///     updated.
    /// - Throws: ``SQLiteError``. A record whose key is `nil` is refused where the key is among `columns`, because it would be
    ///   inserted each time.
    public func upsert<Record: TableRecord>(_ record: Record, onConflict columns: PartialKeyPath<Record>...) throws {
        try table(Record.table).upsert(record, columns)
    }
}

extension Connection.TableAccess {
    /// Inserts a record, or updates the row that it would break a unique constraint with:
    /// `INSERT INTO … ON CONFLICT("x", "y") DO UPDATE SET "label" = excluded."label"`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - columns: The columns of the unique constraint; by default the primary key. Neither they nor the primary key are
    ///     updated.
    /// - Throws: ``SQLiteError``. A record whose key is `nil` is refused where the key is among `columns`, because it would be
    ///   inserted each time.
    public func upsert(_ record: Record, onConflict columns: PartialKeyPath<Record>...) throws {
        try upsert(record, columns)
    }

    func upsert(_ record: Record, _ columns: [PartialKeyPath<Record>]) throws {
        let sql = try core.insertion(onConflict: columns) { core.updateOfConflict($0) }
        if sql.requiresKey { try core.requireKeyValue(of: record) }
        try connection.run(sql.single, with: record, core.binders)
    }
}
