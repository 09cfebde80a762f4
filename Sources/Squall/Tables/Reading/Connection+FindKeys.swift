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
    @inlinable
    public func find<Record: TableRecord>(
        _ type: Record.Type, keys: some Collection<Record.DeclaredTable.Key.ColumnBase>
    ) throws -> [Record] where Record.DeclaredTable.Key: StatementParameter {
        try table(Record.table).find(keys: keys)
    }
}

extension Connection.TableAccess where Key: StatementParameter {
    /// Returns the records with keys, in the order of the keys. A key without a record is left out, and a repeated key gives its record again.
    ///
    /// - Throws: ``SQLiteError``, also for a table without a primary key, or whose key is not its first column alone; ``ConversionError``
    ///   for a row that does not fit the record.
    @inlinable
    public func find(keys: some Collection<Key.ColumnBase>) throws -> [Record] {
        // The array is made here, where the type of the keys is known.
        let values: SQL =
            if let form = try core.formOfKey(Key.ColumnBase.self) {
                "\(array: try keys.map { try form($0) })"
            } else {
                "\(array: keys)"
            }
        return try connection.withStatement(core.selectRows(ofKeys: values)) { try $0.readAll(core.reader) }
    }
}

extension TableCore {
    /// Returns the query of the records whose keys are in an array, in the order of the array.
    @usableFromInline
    func selectRows(ofKeys values: SQL) -> SQL {
        """
        SELECT \(selectedColumns.list) FROM \(values) AS "squall_keys" \
        CROSS JOIN \(name: name) ON \(keys[0].reference) = "squall_keys".value ORDER BY "squall_keys".rowid
        """
    }

    /// Returns how the only key is encoded; `nil` for a key that is stored as it is.
    ///
    /// - Throws: ``SQLiteError`` for a table that has no key of one column, which is the record's first.
    @usableFromInline
    func formOfKey<Key: Bindable>(_ type: Key.Type) throws -> ((Key) throws -> BindingValue)? {
        try requireFirstKey()
        try checkKeyCount(1)
        return keys[0].form.map { form in { try form.encode($0).checkedBindingValue() } }
    }
}
