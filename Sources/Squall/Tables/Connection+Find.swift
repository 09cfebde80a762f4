extension Connection {
    /// The record with a key: `SELECT … FROM "users" WHERE "users"."id" = ?`; `nil` when there is none.
    ///
    ///     let cy = try connection.find(User.self, id)
    ///
    /// - Parameter key: The value of the key, or the values of its columns in order.
    /// - Throws: ``SQLiteError``, also for a table without a primary key and for a wrong number of values;
    ///   ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func find<Record: TableRecord, each Key: StatementParameter>(
        _ type: Record.Type, _ key: repeat each Key
    ) throws -> Record? {
        try find(in: Record.table, repeat each key)
    }

    /// The record with a key in a table: `find(in: points, 1, 2)`.
    @inlinable
    public func find<T: RecordTable, each Key: StatementParameter>(
        in table: T, _ key: repeat each Key
    ) throws -> T.Record? {
        let core = table.core
        try core.requireKey()
        if core.hasPlainKey {
            return try withStatement(core.findSQL, repeat each key) { try $0.nextRow().map(core.reader.read) }
        }
        var values: [(any Bindable)?] = []
        repeat values.append((each key) as? any Bindable)
        return try withStatement(core.findSQL, core.encodeKey(values)) { try $0.nextRow().map(core.reader.read) }
    }
}

extension TableCore {
    /// The values of the key in the forms of their columns.
    @usableFromInline
    func encodeKey(_ values: [(any Bindable)?]) throws -> [(any Bindable)?] {
        try values.enumerated().map { index, value in
            guard let value, keys.indices.contains(index), let form = keys[index].form else { return value }
            return try form.encode(value)
        }
    }
}
