import Squall
import SquallSQLite

/// SQLite's iterator of the changes of a changeset.
struct ChangesetIterator: ~Copyable {
    private let pointer: OpaquePointer
    private let isOwner: Bool

    /// - Parameter isInverted: Whether the changes are those that take the changes back.
    init(_ bytes: UnsafeMutableRawPointer?, _ count: Int32, isInverted: Bool = false) throws {
        try Changeset.checkSessions()
        var made: OpaquePointer?
        let flags = isInverted ? SQLITE_CHANGESETSTART_INVERT : 0
        let code = sqlite3changeset_start_v2(&made, count, bytes, flags)
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
        let (table, count) = (String(cString: header.table), header.columnCount)
        guard let operation = Connection.UpdateHookType(code: header.operation) else {
            throw Changeset.error(SQLITE_CORRUPT)
        }
        let names = columnNames[Identifier(table)] ?? []
        return Changeset.Change(
            table: table, operation: operation, isIndirect: header.isIndirect,
            keyColumns: try keyColumns(count).map(Int.init),
            old: try values(operation == .insert ? 0 : count, names, sqlite3changeset_old),
            new: try values(operation == .delete ? 0 : count, names, sqlite3changeset_new))
    }

    /// Whether the change is an update from an integer to the REAL that is equal to it.
    var makesRealOfInteger: Bool {
        get throws {
            let header = try header()
            guard header.operation == SQLITE_UPDATE else { return false }
            return try (0..<header.columnCount).contains { column in
                guard let old = try value(column, sqlite3changeset_old),
                    let new = try value(column, sqlite3changeset_new), sqlite3_value_type(old) == SQLITE_INTEGER,
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

    /// Returns what the change is of. The name of the table is valid until the next change.
    func header() throws -> (table: UnsafePointer<CChar>, columnCount: Int32, operation: Int32, isIndirect: Bool) {
        var table: UnsafePointer<CChar>?
        var (count, operation, isIndirect) = (Int32(0), Int32(0), Int32(0))
        try Changeset.check(sqlite3changeset_op(pointer, &table, &count, &operation, &isIndirect))
        guard let table else { throw Changeset.error(SQLITE_CORRUPT) }
        return (table, count, operation, isIndirect != 0)
    }

    /// Returns the positions of the columns of the primary key.
    func keyColumns(_ count: Int32) throws -> [Int32] {
        var key: UnsafeMutablePointer<UInt8>?
        try Changeset.check(sqlite3changeset_pk(pointer, &key, nil))
        return (0..<count).filter { key?[Int($0)] != 0 }
    }

    typealias ValueFunction = (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

    /// Returns a value of the change, or `nil` for a column that the change does not have. It is valid until the next change.
    func value(_ column: Int32, _ read: ValueFunction) throws -> OpaquePointer? {
        var value: OpaquePointer?
        try Changeset.check(read(pointer, column, &value))
        return value
    }

    private func values(_ count: Int32, _ names: [String], _ read: ValueFunction) throws -> ChangedValues {
        try ChangedValues(count: Int(count), names: names) { try value(Int32($0), read) }
    }
}
