import SquallSQLite

// # Values
//
// Swift values become SQLite's values here, and SQLite's values become Swift values.
//
//     let name: String? = "Audi"
//     try connection.run("INSERT INTO cars(name, price) VALUES(\(name), \(52_642))")
//     try connection.forEach("SELECT name, price FROM cars") { row in
//         print(try row.get("name") as String, try row.get(1) as Int)
//     }
//
// `Conversion` has the protocols: `Bindable` for writing, `Extractable` for reading, `Binding` for both. `Types` makes
// the standard types conform. `Rows` has `Row`, its storage, and the decoder of `Decodable` types.
//
// A value is written and read so:
// 1. `bindOrNull(to:)` of the value receives a `BindingDestination`: a parameter, or the result of a function.
// 2. Small texts and blobs are copied into the `ParameterArena` of the statement, whose memory is used again.
// 3. To read, `Row` takes the `SQLiteValue` of a column from `Row.Storage`, which reads from the statement.
// 4. `fromSQLiteValue(_:)` of the type returns `nil` for a value that does not fit.
// 5. `get` then throws a `ConversionError`. A subscript that is not optional stops the program.
//
// Invariants: A statement uses one storage for all its rows. If a row is still referenced when the statement moves on,
// it is detached: it copies its values, and the statement continues with another storage. An `SQLiteValue` is valid
// only during the call that received it. The names of the columns are read again if SQLite has re-prepared the
// statement. Nothing here runs SQL. Go on with `Bindable.swift` and `Row+Storage.swift`.

/// A row of a query.
///
/// While its statement is at the row, a row reads SQLite's values without a copy. If the row is kept longer (in a
/// variable, an array, an error), it copies its values before the statement advances. It therefore always reads the
/// same values.
///
/// `get` throws an error that describes the mismatch. An optional subscript returns `nil` for NULL and for a value that
/// does not fit. Other subscripts stop the program in that case; use them when the query and the code that reads its
/// rows are written together.
public struct Row {
    @usableFromInline var storage: Storage

    @usableFromInline
    init(_ storage: Storage) {
        self.storage = storage
    }

    /// The number of columns.
    public var columnCount: Int { storage.columnCount }

    /// The value of a column as SQLite holds it, or `nil` if the column does not exist.
    @inlinable
    @inline(__always)
    func sqliteValue(at index: Int) -> SQLiteValue? {
        // SQLite also returns NULL for a column that does not exist; `failure` distinguishes the two.
        if let statement = storage.statement {
            return SQLiteValue(sqlite3_column_value(statement, Self.columnNumber(index)))
        }
        return storage.detachedValue(at: index)
    }

    /// Returns the number of a column for SQLite; for an index out of range, a number that no column has. Not `clamping`, which is
    /// generic: with it and with the generic `fromSQLiteValue` of integers, ten integers took 1.50× the instructions in a debug
    /// build (callgrind, 2026-11-23).
    @inlinable
    @inline(__always)
    static func columnNumber(_ index: Int) -> Int32 {
        Int32(truncatingIfNeeded: index >= 0 && index <= 0x7fff_ffff ? index : -1)
    }

    /// Returns the value of a column of a query whose columns have been counted.
    @inlinable
    @inline(__always)
    func existingValue(at index: Int) -> SQLiteValue {
        // SQLite returns NULL for a column that does not exist.
        sqliteValue(at: index) ?? SQLiteValue(sqlite3_column_value(nil, 0))
    }

    /// The index of the first column with exactly this name, otherwise of the first whose name differs only in ASCII
    /// case. `nil` if the row has neither.
    @inlinable
    func index(of name: String) -> Int? {
        storage.index(of: name)
    }
}

// MARK: - Values

extension Row {
    /// The value of a column by index, from 0. Stops the program for NULL and for a value that does not fit. The
    /// message names the caller's file and line. `get` throws instead.
    @inlinable
    @inline(__always)
    public subscript<T: ColumnReadable>(
        columnIndex: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        if let value: T = self[columnIndex] { return value }
        if let value: T = valueOfNull(at: columnIndex) { return value }
        stop(failure(at: columnIndex, expected: T.self), file: file, line: line)
    }

    /// The value of a column by index, from 0; `nil` for NULL, a value that does not fit, or a column that does not
    /// exist.
    @inlinable
    @inline(__always)
    public subscript<T: ColumnReadable>(columnIndex: Int) -> T? {
        guard let value = sqliteValue(at: columnIndex) else { return nil }
        return T.fromSQLiteValue(value)
    }

    /// The value of a column by name. Stops the program for NULL and for a value that does not fit. The message names
    /// the caller's file and line. `get` throws instead.
    @inlinable
    public subscript<T: ColumnReadable>(
        columnName: String, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        if let value: T = self[columnName] { return value }
        if let index = index(of: columnName), let value: T = valueOfNull(at: index) { return value }
        stop(failure(named: columnName, expected: T.self), file: file, line: line)
    }

    /// The value of a column by name; `nil` for NULL, a value that does not fit, or a column that does not exist.
    @inlinable
    public subscript<T: ColumnReadable>(columnName: String) -> T? {
        guard let index = index(of: columnName) else { return nil }
        return self[index]
    }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write the type: `row[0] as Int`, or `let name: String = row[\"name\"]`")
    @_disfavoredOverload
    public subscript<Place: Hashable>(place: Place) -> Any { place }

    /// Returns the value of a column by index, from 0.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that does not fit, or a column that does not exist.
    @inlinable
    @inline(__always)
    public func get<T: ColumnReadable>(_ columnIndex: Int, as type: T.Type = T.self) throws -> T {
        if let value: T = self[columnIndex] { return value }
        if let value: T = valueOfNull(at: columnIndex) { return value }
        throw failure(at: columnIndex, expected: T.self)
    }

    /// Returns the value of a column by index, from 0; `nil` for NULL.
    ///
    /// - Throws: ``ConversionError`` for a value that does not fit, or a column that does not exist.
    @inlinable
    @inline(__always)
    public func get<T: ColumnReadable>(_ columnIndex: Int, as type: T?.Type = T?.self) throws -> T? {
        if let value: T = self[columnIndex] { return value }
        return try nilForNull(at: columnIndex, as: T.self)
    }

    /// Returns the value of a column by name.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that does not fit, or a column that does not exist.
    @inlinable
    public func get<T: ColumnReadable>(_ columnName: String, as type: T.Type = T.self) throws -> T {
        guard let index = index(of: columnName) else { throw failure(named: columnName, expected: T.self) }
        return try get(index)
    }

    /// Returns the value of a column by name; `nil` for NULL.
    ///
    /// - Throws: ``ConversionError`` for a value that does not fit, or a column that does not exist.
    @inlinable
    public func get<T: ColumnReadable>(_ columnName: String, as type: T?.Type = T?.self) throws -> T? {
        guard let index = index(of: columnName) else { throw failure(named: columnName, expected: T.self) }
        return try get(index)
    }

    /// The value of a column by index, in the type of its storage class: `Int64`, `Double`, `String` or `Data`. It is
    /// `nil` for NULL and for a column that does not exist. TEXT that is not valid UTF-8 is returned as `Data`.
    public func value(at columnIndex: Int) -> Any? {
        sqliteValue(at: columnIndex)?.any
    }
}

// MARK: - Failures

extension Row {
    /// Returns the value of a type that has one for NULL, as ``BindingValue`` has; `nil` for other types, and for other values.
    @usableFromInline
    @inline(never)
    func valueOfNull<T>(at index: Int, as type: T.Type = T.self) -> T? {
        guard let readable = type as? any ColumnReadable.Type, readable.storageClass == nil,
            (0..<columnCount).contains(index), let value = sqliteValue(at: index), value.isNull
        else { return nil }
        return (try? readable.fromArgument(value)) as? T
    }

    /// Returns `nil` for NULL; otherwise throws the reason why the value is not a `type`.
    @usableFromInline
    @inline(never)
    func nilForNull<T: ColumnReadable>(at index: Int, as type: T.Type) throws -> T? {
        if (0..<columnCount).contains(index), let value = sqliteValue(at: index), value.isNull { return nil }
        throw failure(at: index, expected: type)
    }

    @usableFromInline
    @inline(never)
    func failure<T: ColumnReadable>(at index: Int, expected type: T.Type) -> ConversionError {
        let layout = storage.layout
        guard (0..<columnCount).contains(index), let value = sqliteValue(at: index) else {
            let isLost = (0..<columnCount).contains(index)
            return ConversionError(
                isLost ? .outOfMemory : .noSuchColumn, expected: "\(type)", columnIndex: index, sql: layout.sql)
        }
        return ConversionError(
            value, expected: type, columnIndex: index, columnName: layout.names[index], sql: layout.sql
        )
    }

    @usableFromInline
    @inline(never)
    func failure<T: ColumnReadable>(named name: String, expected type: T.Type) -> ConversionError {
        if let index = index(of: name) { return failure(at: index, expected: type) }
        return ConversionError(.noSuchColumn, expected: "\(type)", columnName: name, sql: storage.layout.sql)
    }

    /// Returns the error of a value as one of a column of this row.
    @inline(never)
    func conversionError(_ error: ArgumentError, at index: Int) -> ConversionError {
        let names = storage.layout.names
        return ConversionError(
            error.reason, columnIndex: index, columnName: names.indices.contains(index) ? names[index] : nil,
            tableName: nil, sql: storage.layout.sql
        )
    }

    /// Throws when SQLite had no memory to copy the values of the row, which would otherwise read as NULL.
    @usableFromInline
    func checkCopies() throws {
        guard storage.lacksValues else { return }
        throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", sql: storage.layout.sql)
    }

    /// Stops the program at a subscript whose value does not have the expected type. Squall stops the program nowhere
    /// else.
    @usableFromInline
    func stop(_ error: ConversionError, file: StaticString, line: UInt) -> Never {
        fatalError(error.description, file: file, line: line)
    }
}
