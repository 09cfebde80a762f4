import SquallSQLite

extension Row {
    /// Calls a closure with the bytes of a BLOB, where SQLite has them.
    ///
    ///     try connection.forEach("SELECT name, body FROM files") { row in
    ///         try row.withBytes("body") { (bytes: RawSpan) in hash.update(bytes) }
    ///     }
    ///
    /// The bytes are not copied in the closure of `forEach` and of `query`. There, the closure can use the connection; closing it
    /// waits until the statement has ended. Those of a row of a ``Statement`` and of a cursor are copied first.
    ///
    /// - Parameters:
    ///   - columnIndex: The index of the column, from 0.
    ///   - body: Called with the bytes, which may be none. TEXT that is not valid UTF-8 is also read as bytes.
    /// - Returns: The result of the closure.
    /// - Throws: ``ConversionError`` for NULL, a value that is not a BLOB, or a column that does not exist; the error of the closure.
    @inlinable
    public func withBytes<Result>(_ columnIndex: Int, _ body: (RawSpan) throws -> Result) throws -> Result {
        let lent = try lendValue(at: columnIndex)
        defer { lent.end() }
        guard let bytes = lent.value.bytes else { throw failure(at: columnIndex, expected: [UInt8].self) }
        return try withExtendedLifetime(storage) { try body(RawSpan(_unsafeBytes: bytes)) }
    }

    /// Calls a closure with the bytes of a BLOB; see ``withBytes(_:_:)-(Int,_)``.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that is not a BLOB, or a column that does not exist; the error of the closure.
    @inlinable
    public func withBytes<Result>(_ columnName: String, _ body: (RawSpan) throws -> Result) throws -> Result {
        try withBytes(existingIndex(of: columnName, as: [UInt8].self), body)
    }

    /// Calls a closure with the bytes of a BLOB, and returns `nil` for NULL; see ``withBytes(_:_:)-(Int,_)``.
    ///
    /// - Throws: ``ConversionError`` for a value that is neither a BLOB nor NULL, or a column that does not exist; the error of the closure.
    @inlinable
    public func withBytesIfPresent<Result>(
        _ columnIndex: Int, _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        try isNull(columnIndex, expected: [UInt8].self) ? nil : withBytes(columnIndex, body)
    }

    /// Calls a closure with the bytes of a BLOB, and returns `nil` for NULL; see ``withBytes(_:_:)-(Int,_)``.
    ///
    /// - Throws: ``ConversionError`` for a value that is neither a BLOB nor NULL, or a column that does not exist; the error of the closure.
    @inlinable
    public func withBytesIfPresent<Result>(
        _ columnName: String, _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        try withBytesIfPresent(existingIndex(of: columnName, as: [UInt8].self), body)
    }

    /// Calls a closure with the UTF-8 of a TEXT, where SQLite has it, with embedded NUL characters.
    ///
    ///     try connection.forEach("SELECT name FROM cars") { row in
    ///         let isLong = try row.withUTF8("name") { (text: Span<UInt8>) in text.count > 20 }
    ///     }
    ///
    /// See ``withBytes(_:_:)-(Int,_)`` for when it is copied.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that is not TEXT, TEXT that is not valid UTF-8, or a column that does not exist;
    ///   the error of the closure.
    @inlinable
    public func withUTF8<Result>(_ columnIndex: Int, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        let lent = try lendValue(at: columnIndex)
        defer { lent.end() }
        guard let text = lent.value.validUTF8 else { throw failure(at: columnIndex, expected: String.self) }
        return try withExtendedLifetime(storage) { try body(Span(_unsafeElements: text)) }
    }

    /// Calls a closure with the UTF-8 of a TEXT; see ``withUTF8(_:_:)-(Int,(Span<UInt8>)->Result)``.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that is not TEXT, TEXT that is not valid UTF-8, or a column that does not exist;
    ///   the error of the closure.
    @inlinable
    public func withUTF8<Result>(_ columnName: String, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        try withUTF8(existingIndex(of: columnName, as: String.self), body)
    }

    /// Calls a closure with the UTF-8 of a TEXT, and returns `nil` for NULL; see ``withUTF8(_:_:)-(Int,(Span<UInt8>)->Result)``.
    ///
    /// - Throws: ``ConversionError`` for a value that is neither valid TEXT nor NULL, or a column that does not exist; the error of the
    ///   closure.
    @inlinable
    public func withUTF8IfPresent<Result>(
        _ columnIndex: Int, _ body: (Span<UInt8>) throws -> Result
    ) throws -> Result? {
        try isNull(columnIndex, expected: String.self) ? nil : withUTF8(columnIndex, body)
    }

    /// Calls a closure with the UTF-8 of a TEXT, and returns `nil` for NULL; see ``withUTF8(_:_:)-(Int,(Span<UInt8>)->Result)``.
    ///
    /// - Throws: ``ConversionError`` for a value that is neither valid TEXT nor NULL, or a column that does not exist; the error of the
    ///   closure.
    @inlinable
    public func withUTF8IfPresent<Result>(
        _ columnName: String, _ body: (Span<UInt8>) throws -> Result
    ) throws -> Result? {
        try withUTF8IfPresent(existingIndex(of: columnName, as: String.self), body)
    }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension Row {
    /// Calls a closure with a TEXT as the characters that it consists of; see ``withUTF8(_:_:)-(Int,(Span<UInt8>)->Result)``.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that is not TEXT, TEXT that is not valid UTF-8, or a column that does not exist;
    ///   the error of the closure.
    @inlinable
    @_disfavoredOverload
    public func withUTF8<Result>(_ columnIndex: Int, _ body: (UTF8Span) throws -> Result) throws -> Result {
        try withUTF8(columnIndex) { (text: Span<UInt8>) in try body(UTF8Span(unchecked: text)) }
    }

    /// Calls a closure with a TEXT as the characters that it consists of; see ``withUTF8(_:_:)-(Int,(Span<UInt8>)->Result)``.
    ///
    /// - Throws: ``ConversionError`` for NULL, a value that is not TEXT, TEXT that is not valid UTF-8, or a column that does not exist;
    ///   the error of the closure.
    @inlinable
    @_disfavoredOverload
    public func withUTF8<Result>(_ columnName: String, _ body: (UTF8Span) throws -> Result) throws -> Result {
        try withUTF8(columnName) { (text: Span<UInt8>) in try body(UTF8Span(unchecked: text)) }
    }
}

extension Row {
    /// Returns a value that stays in place until ``LentValue/end()``.
    ///
    /// In a loop, the statement cannot be stepped or reset by its owner. While the value is lent, the connection behaves as during a call of
    /// SQLite: a rollback does not reset the statement either, and closing the connection waits. A row that was kept has copies of its values.
    /// Elsewhere the value is copied.
    @inlinable
    @inline(__always)
    func lendValue(at index: Int) throws -> LentValue {
        guard let depth = storage.callDepth, let statement = storage.statement else { return try copyValue(at: index) }
        depth.pointee &+= 1
        // SQLite returns NULL for a column that does not exist.
        return LentValue(
            value: SQLiteValue(sqlite3_column_value(statement, Self.columnNumber(index))), callDepth: depth, copy: nil)
    }

    @usableFromInline
    func copyValue(at index: Int) throws -> LentValue {
        let value = existingValue(at: index)
        if storage.statement == nil { return LentValue(value: value, callDepth: nil, copy: nil) }
        guard let copy = sqlite3_value_dup(value.pointer) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
        }
        return LentValue(value: SQLiteValue(copy), callDepth: nil, copy: copy)
    }

    @usableFromInline
    func isNull<T: ColumnReadable>(_ index: Int, expected type: T.Type) throws -> Bool {
        guard (0..<columnCount).contains(index), let value = sqliteValue(at: index) else {
            throw failure(at: index, expected: type)
        }
        return value.isNull
    }

    @usableFromInline
    func existingIndex<T: ColumnReadable>(of name: String, as type: T.Type) throws -> Int {
        guard let index = index(of: name) else { throw failure(named: name, expected: type) }
        return index
    }
}

/// A value of a row while a closure uses its bytes.
@usableFromInline
struct LentValue {
    @usableFromInline let value: SQLiteValue
    @usableFromInline let callDepth: UnsafeMutablePointer<Int>?
    @usableFromInline let copy: OpaquePointer?

    @inlinable
    init(value: SQLiteValue, callDepth: UnsafeMutablePointer<Int>?, copy: OpaquePointer?) {
        self.value = value
        self.callDepth = callDepth
        self.copy = copy
    }

    @inlinable
    @inline(__always)
    func end() {
        callDepth?.pointee &-= 1
        if let copy { sqlite3_value_free(copy) }
    }
}
