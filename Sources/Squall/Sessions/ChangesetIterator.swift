import SquallSQLite

/// SQLite's iterator of the changes of a changeset.
struct ChangesetIterator: ~Copyable {
    private let pointer: OpaquePointer
    private let isOwner: Bool

    init(_ bytes: UnsafeMutableRawPointer?, _ count: Int32) throws {
        try Changeset.checkSessions()
        var made: OpaquePointer?
        let code = sqlite3changeset_start_v2(&made, count, bytes, 0)
        guard code == SQLITE_OK, let made else { throw Changeset.error(code) }
        pointer = made
        isOwner = true
    }

    /// An iterator to be finalised with this value.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
        isOwner = true
    }

    /// The iterator of a conflict, which SQLite owns.
    init(borrowing pointer: OpaquePointer) {
        self.pointer = pointer
        isOwner = false
    }

    deinit {
        if isOwner { sqlite3changeset_finalize(pointer) }
    }

    /// Goes to the next change. Returns `false` after the last.
    func next() throws -> Bool {
        let code = sqlite3changeset_next(pointer)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw Changeset.error(code)
    }

    /// Returns the change.
    ///
    /// - Parameter columnNames: The names of the columns of each table, where they are known.
    func change(naming columnNames: [Identifier: [String]]) throws -> Changeset.Change {
        let header = try header()
        let names = columnNames[Identifier(header.table)] ?? []
        var key: UnsafeMutablePointer<UInt8>?
        try Changeset.check(sqlite3changeset_pk(pointer, &key, nil))
        let keyColumns = (0..<header.columnCount).filter { key?[$0] != 0 }
        return Changeset.Change(
            table: header.table, operation: header.operation, isIndirect: header.isIndirect, keyColumns: keyColumns,
            old: try values(header.operation == .insert ? 0 : header.columnCount, names, sqlite3changeset_old),
            new: try values(header.operation == .delete ? 0 : header.columnCount, names, sqlite3changeset_new))
    }

    /// Whether the change is an update from an integer to the REAL that is equal to it.
    var makesRealOfInteger: Bool {
        get throws {
            let header = try header()
            guard header.operation == .update else { return false }
            return try (0..<Int32(header.columnCount)).contains { column in
                var (old, new): (OpaquePointer?, OpaquePointer?)
                try Changeset.check(sqlite3changeset_old(pointer, column, &old))
                try Changeset.check(sqlite3changeset_new(pointer, column, &new))
                guard let old, let new, sqlite3_value_type(old) == SQLITE_INTEGER,
                    sqlite3_value_type(new) == SQLITE_FLOAT
                else { return false }
                return sqlite3_value_double(old) == sqlite3_value_double(new)
            }
        }
    }

    /// Returns the row that is in the way of a change.
    func conflictingRow(naming columnNames: [String]) throws -> ChangedValues {
        try values(header().columnCount, columnNames, sqlite3changeset_conflict)
    }

    private func header() throws -> (
        table: String, columnCount: Int, operation: Connection.UpdateHookType, isIndirect: Bool
    ) {
        var table: UnsafePointer<CChar>?
        var (count, code, isIndirect) = (Int32(0), Int32(0), Int32(0))
        try Changeset.check(sqlite3changeset_op(pointer, &table, &count, &code, &isIndirect))
        guard let table, let operation = Connection.UpdateHookType(code: code) else {
            throw Changeset.error(SQLITE_CORRUPT)
        }
        return (String(cString: table), Int(count), operation, isIndirect != 0)
    }

    private func values(
        _ count: Int, _ names: [String],
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) throws -> ChangedValues {
        try ChangedValues(count: count, names: names) { index in
            var value: OpaquePointer?
            try Changeset.check(read(pointer, Int32(index), &value))
            return value
        }
    }
}
