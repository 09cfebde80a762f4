extension Connection {
    /// Returns the record with a key, `nil` when there is none: `SELECT … FROM "users" WHERE "users"."id" = ?`.
    ///
    ///     let cy = try connection.find(User.self, id)
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - key: The value of the key, of the type that the first column has.
    ///   - others: The values of the other columns of a composite key.
    /// - Throws: ``SQLiteError``, also for a table without a primary key or whose key is not its first column, and when
    ///   the number or the types of the values do not match the key; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func find<Record: TableRecord, each Other: StatementParameter>(
        _ type: Record.Type, _ key: Record.DeclaredTable.Key, _ others: repeat each Other
    ) throws -> Record? where Record.DeclaredTable.Key: StatementParameter {
        try table(Record.table).find(key, repeat each others)
    }

    /// Returns the record with a key, also where its columns are not the first of the table: `find(User.self, key: "ada@example.org")`.
    ///
    /// The types of the values are checked when the program runs.
    ///
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and when the number or the types of the values do not match
    ///   the key; ``ConversionError`` for a row that does not fit the record.
    public func find<Record: TableRecord, each Key: StatementParameter>(
        _ type: Record.Type, key: repeat each Key
    ) throws -> Record? {
        try table(Record.table).find(key: repeat each key)
    }

    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message:
            "the key has the type of the first column; other keys follow `key:`; for a condition, write `first(Author.self) { … }`"
    )
    @_disfavoredOverload
    public func find<Record: TableRecord, Key>(_ type: Record.Type, _ key: Key) throws -> Record? {
        throw SQLiteError.unavailableError
    }
}

extension Connection.TableAccess where Key: StatementParameter {
    /// Returns the record with a key, `nil` when there is none: `SELECT … FROM "points" WHERE "points"."x" = ? AND "points"."y" = ?`.
    ///
    ///     let point = try connection.table(points).find(1, 2)
    ///
    /// - Parameters:
    ///   - key: The value of the key, of the type that the first column has.
    ///   - others: The values of the other columns of a composite key.
    /// - Throws: ``SQLiteError``, also for a table without a primary key or whose key is not its first column, and when
    ///   the number or the types of the values do not match the key; ``ConversionError`` for a row that does not fit the record.
    // Inlined, and the work is a method of the connection: a method of this type would retain the connection at each call, 1.3 % of a
    // look-up (callgrind, 2026-11-29).
    @inlinable
    @inline(__always)
    public func find<each Other: StatementParameter>(_ key: Key, _ others: repeat each Other) throws -> Record? {
        try connection.find(core, key, repeat each others)
    }
}

extension Connection.TableAccess {
    /// Returns the record with a key, also where its columns are not the first of the table: `table(users).find(key: "ada@example.org")`.
    ///
    /// The types of the values are checked when the program runs.
    ///
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and when the number or the types of the values do not match
    ///   the key;
    ///   ``ConversionError`` for a row that does not fit the record.
    public func find<each Component: StatementParameter>(key: repeat each Component) throws -> Record? {
        try core.requireKey()
        var index = 0
        repeat try core.checkKey((each Component).ColumnBase.self, &index)
        try core.checkKeyCount(index)
        return try connection.findChecked(core, repeat each key)
    }
}

extension Connection {
    /// Returns the record with a key whose columns are the first ones.
    @inlinable
    func find<Record, Key: StatementParameter, each Other: StatementParameter>(
        _ core: TableCore<Record>, _ key: Key, _ others: repeat each Other
    ) throws -> Record? {
        try core.requireFirstKey()
        var index = 1
        repeat try core.checkKey((each Other).ColumnBase.self, &index)
        try core.checkKeyCount(index)
        return try findChecked(core, key, repeat each others)
    }

    /// Returns the record with a key that has been checked.
    @inlinable
    func findChecked<Record, each Key: StatementParameter>(
        _ core: TableCore<Record>, _ key: repeat each Key
    ) throws -> Record? {
        if core.hasPlainKey {
            return try withStatement(core.findSQL, repeat each key) { try $0.readFirst(core) }
        }
        var values: [(any Bindable)?] = []
        repeat values.append((each key) as? any Bindable)
        return try withStatement(core.findSQL, core.encodeKey(values)) { try $0.readFirst(core) }
    }
}

extension TableCore {
    /// Returns the values of the key in the forms of their columns.
    @usableFromInline
    func encodeKey(_ values: [(any Bindable)?]) throws -> [(any Bindable)?] {
        try values.enumerated().map { index, value in
            guard let value, keys.indices.contains(index), let form = keys[index].form else { return value }
            return try form.encode(value)
        }
    }

    /// Throws when the key has a different number of columns.
    @inlinable
    package func checkKeyCount(_ given: Int) throws {
        if given != keyBinders.count { throw keyCountError(given: given) }
    }

    @usableFromInline
    func keyCountError(given: Int) -> SQLiteError {
        SQLiteError(TableProblem.keyCount(columns: keys.map(\.name), given: given), of: .table(name))
    }

    /// Throws when a value of a type cannot be in the key. SQLite has one type for integers of all sizes.
    @usableFromInline
    package func checkKey(_ type: Any.Type, _ index: inout Int) throws {
        defer { index += 1 }
        // `checkKeyCount` reports a surplus value.
        guard keys.indices.contains(index) else { return }
        let expected = keys[index].baseType
        if type == expected || (type is any BinaryInteger.Type && expected is any BinaryInteger.Type) { return }
        throw SQLiteError(
            TableProblem.keyType(column: keys[index].name, expected: "\(expected)", found: "\(type)"),
            of: .table(name))
    }
}
