import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The box that SQLite keeps for a collation.
private final class CollationBox {
    private let callbacks: UnsafeMutablePointer<Callbacks>
    private let collate: Connection.Collation

    init(callbacks: UnsafeMutablePointer<Callbacks>, collate: @escaping Connection.Collation) {
        self.callbacks = callbacks
        self.collate = collate
    }

    func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let lhs = String(checking: left), let rhs = String(checking: right) else {
            return compareInvalid(left, right)
        }
        guard callbacks.pointee.depth < Callbacks.deepest else { return compareBytes(left, right) }
        callbacks.pointee.depth &+= 1
        defer { callbacks.pointee.depth &-= 1 }
        return Int32(truncatingIfNeeded: collate(lhs, rhs).rawValue)
    }

    /// Compares texts of which one is not valid UTF-8. Invalid text sorts after all valid text, by its bytes. The order
    /// of the valid text thus remains a total order.
    @inline(never)
    private func compareInvalid(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        if String(checking: left) != nil { return -1 }
        if String(checking: right) != nil { return 1 }
        return compareBytes(left, right)
    }

    private func compareBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

private func compare(
    _ box: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32,
    _ right: UnsafeRawPointer?
) -> Int32 {
    guard let box else { return 0 }
    let left = UnsafeBufferPointer(start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount))
    let right = UnsafeBufferPointer(start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount))
    return Unmanaged<CollationBox>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.compare(left, right) }
}

private func release(_ box: UnsafeMutableRawPointer?) {
    if let box { Unmanaged<CollationBox>.fromOpaque(box).release() }
}

extension Connection {
    /// Compares two texts.
    public typealias Collation = (_ lhs: String, _ rhs: String) -> ComparisonResult

    /// Adds an order of text for `COLLATE` in SQL. It replaces a collation with the same name.
    ///
    ///     try connection.addCollation("numeric") { $0.compare($1, options: .numeric) }
    ///     try connection.execute("CREATE TABLE files(name TEXT COLLATE numeric)")
    ///
    /// The closure must always return the same order for the same two texts. Otherwise SQLite sorts incorrectly and
    /// misses rows in indexes, but nothing worse happens. Text that is not valid UTF-8 is not passed to the closure; it
    /// sorts last, by its bytes.
    ///
    /// The closure may use the connection, but not close it. If its queries need the same collation, the comparison
    /// falls back to bytes at a limit of depth. The closure must not retain the connection: capture it `weak` or
    /// `unowned`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) if the collation replaces another while a statement is running or
    ///   is at a row, and inside a function or a collation; `SQLITE_MISUSE` (21) for a name with a NUL character.
    public func addCollation(_ name: String, _ collate: @escaping Collation) throws {
        let made = CollationBox(callbacks: callbacks, collate: collate)
        try change(name, .collationName) { handle in
            let box = Unmanaged.passRetained(made)
            let code = sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, box.toOpaque(), compare, release)
            // Unlike the box of a function, SQLite does not release that of a collation that it rejects.
            if code != SQLITE_OK { box.release() }
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
