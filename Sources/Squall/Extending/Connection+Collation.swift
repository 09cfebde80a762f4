import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Adds an order of text for `COLLATE` in SQL. It replaces a collation with the same name.
    ///
    ///     try connection.addCollation("numeric") { $0.compare($1, options: .numeric) }
    ///     try connection.execute("CREATE TABLE files(name TEXT COLLATE numeric)")
    ///
    /// The closure must always return the same order for the same two texts. Otherwise SQLite sorts incorrectly and misses rows in
    /// indexes, but nothing worse happens. Text that is not valid UTF-8 is not passed to the closure; it sorts last, by its bytes.
    ///
    /// The closure may use the connection, but not close it. If its queries need the same collation, the comparison falls back to
    /// bytes at a limit of depth. The closure must not retain the connection: capture it `weak` or `unowned`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) if the collation replaces another while a statement is running or
    ///   is at a row, and inside a function or a collation; `SQLITE_MISUSE` (21) for a name with a NUL character.
    public func addCollation(_ name: String, _ collate: @escaping (_ lhs: String, _ rhs: String) -> ComparisonResult)
        throws
    {
        try addCollation(name, TextCollation(callbacks: callbacks, collate: collate))
    }

    /// Adds an order of text that compares bytes in place of `String`s, which takes less time: nothing is copied. It replaces a
    /// collation with the same name.
    ///
    ///     try connection.addCollation("by_length") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in
    ///         lhs.count == rhs.count ? .orderedSame
    ///             : lhs.count < rhs.count ? .orderedAscending : .orderedDescending
    ///     }
    ///
    /// The types of the parameters select this form. The bytes are those that SQLite has, in UTF-8 whatever the encoding of the
    /// database: they may include NUL, need not be valid UTF-8, and may be empty.
    ///
    /// The closure must define a total order of all byte sequences. Otherwise SQLite sorts incorrectly and misses rows in indexes, but
    /// nothing worse happens. The bytes are SQLite's memory, which a statement could change. The closure therefore cannot use
    /// the connection, whose methods throw until the closure returns.
    ///
    /// - Throws: ``SQLiteError``, as for closures of `String`s.
    @_disfavoredOverload
    public func addCollation(
        _ name: String, _ collate: @escaping (_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> ComparisonResult
    ) throws {
        try addCollation(name, ByteCollation(callbacks: callbacks, collate: collate))
    }

    /// Adds an order of text that compares the validated bytes of the texts, without a copy. It replaces a collation with the same
    /// name.
    ///
    ///     try connection.addCollation("canonical") { (lhs: UTF8Span, rhs: UTF8Span) in
    ///         lhs.isCanonicallyEquivalent(to: rhs) ? .orderedSame
    ///             : lhs.isCanonicallyLessThan(rhs) ? .orderedAscending : .orderedDescending
    ///     }
    ///
    /// The types of the parameters select this form. Text that is not valid UTF-8 is not passed to the closure; it sorts last, by its
    /// bytes. The closure cannot use the connection, whose methods throw until the closure returns.
    ///
    /// - Throws: ``SQLiteError``, as for closures of `String`s.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @_disfavoredOverload
    public func addCollation(
        _ name: String, _ collate: @escaping (_ lhs: UTF8Span, _ rhs: UTF8Span) -> ComparisonResult
    ) throws {
        try addCollation(name, ValidatedCollation(callbacks: callbacks, collate: collate))
    }

    private func addCollation(_ name: String, _ collation: CollationBox) throws {
        try change(name, .collationName) { handle in
            let box = collation.retained()
            let code = sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, box, compare, KeptObject.release)
            // Unlike the box of a function, SQLite does not release that of a collation that it rejects.
            if code != SQLITE_OK { KeptObject.release(box) }
            return code
        }
    }

    /// Removes a collation. Does nothing if the collation does not exist.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) while a statement is running or is at a row, and inside a function or a
    ///   collation; `SQLITE_MISUSE` (21) for a name with a NUL character.
    public func removeCollation(named name: String) throws {
        try change(name, .collationName) { sqlite3_create_collation_v2($0, name, SQLITE_UTF8, nil, nil, nil) }
    }
}

// The C functions that SQLite calls. They do not retain the box: SQLite does not release a collation while a statement runs.

private func compare(
    _ box: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32,
    _ right: UnsafeRawPointer?
) -> Int32 {
    guard let box else { return 0 }
    let left = UnsafeBufferPointer(start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount))
    let right = UnsafeBufferPointer(start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount))
    return Unmanaged<CollationBox>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.compare(left, right) }
}

extension Connection {
    /// Makes SQLite read the schema again before the next statement: `PRAGMA writable_schema = RESET`.
    ///
    /// SQLite decides whether a CHECK, an index or a generated column may call a function when it reads the schema. It does not check
    /// again for a function that was added afterwards: 3.40 calls even one that is direct-only from a schema that is not trusted.
    ///
    /// Nothing is done in a transaction, because a rollback would no longer restore the schema, and while the program writes to
    /// `sqlite_schema`, because the PRAGMA would end that. It is not called inside a call of SQLite, whose statement uses the schema:
    /// ``change(_:_:_:)`` throws there.
    func forgetSchema() {
        guard let handle, sqlite3_get_autocommit(handle) != 0 else { return }
        duringCall {
            if pragmaValue("writable_schema", on: handle) == 0 {
                callbacks.pointee.schemaChanges &+= 1
                pragmaValue("writable_schema = RESET", on: handle)
            }
        }
    }
}
