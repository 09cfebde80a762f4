extension Connection {
    /// Returns the records with keys, in the order of the keys. A key without a record is left out, and a repeated key gives its record again.
    ///
    ///     let found = try connection.find(Car.self, keys: ids)
    ///     // SELECT … FROM squall_array(?) AS "squall_keys"
    ///     // CROSS JOIN "cars" ON "cars"."id" = "squall_keys".value
    ///     // ORDER BY "squall_keys".rowid
    ///
    /// It is one statement for any number of keys, and takes a fifth of the time of one ``find(_:_:_:)`` for each key.
    ///
    /// - Throws: ``SQLiteError``, also for a table without a primary key, or whose key is not its first column alone; ``ConversionError``
    ///   for a row that does not fit the record.
    public func find<Record: TableRecord>(
        _ type: Record.Type, keys: some Collection<Record.DeclaredTable.Key.ColumnBase>
    ) throws -> [Record] where Record.DeclaredTable.Key: StatementParameter {
        try find(in: Record.table, keys: keys)
    }

    /// Returns the records of a table with keys, in the order of the keys.
    ///
    /// - Throws: As ``find(_:keys:)`` does.
    public func find<T: RecordTable>(
        in table: T, keys: some Collection<T.Key.ColumnBase>
    ) throws -> [T.Record] where T.Key: StatementParameter {
        let core = table.core
        try core.requireFirstKey()
        try core.checkKeyCount(1)
        let values = try core.array(ofKeys: keys)
        let sql: SQL = """
            SELECT \(core.selectedColumns.list) FROM \(values) AS "squall_keys" \
            CROSS JOIN \(name: core.name) ON \(core.keys[0].reference) = "squall_keys".value ORDER BY "squall_keys".rowid
            """
        return try withStatement(sql) { try $0.readAll(core.reader) }
    }
}

extension TableCore {
    /// Returns keys as an array that a statement reads, in the form of their column.
    fileprivate func array<Key: Bindable>(ofKeys keys: some Collection<Key>) throws -> SQL {
        guard let form = self.keys[0].form else { return "\(array: keys)" }
        let encoded = try keys.map { try form.encode($0).checkedBindingValue() }
        return "\(array: encoded)"
    }
}
