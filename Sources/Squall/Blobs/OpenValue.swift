import SquallSQLite

/// SQLite's handle of a value that is read and written in parts, until it is closed.
final class OpenValue {
    // `@exclusivity(unchecked)`: no property is passed `inout` while other code runs. The checks were 440 of the 3,170 instructions of
    // moving to a row and reading it (callgrind, 2026-11-24).
    private let connection: Connection
    @exclusivity(unchecked) private(set) var place: BlobPlace
    private let mode: Blob.Mode
    @exclusivity(unchecked) private var handle: OpaquePointer?
    /// The events that may free the table that the handle uses, when it was opened.
    private var (schemaChanges, rollbacks) = (0, 0)

    init(_ place: BlobPlace, mode: Blob.Mode, on connection: Connection) throws {
        self.connection = connection
        self.place = place
        self.mode = mode
        try openHandle()
        do {
            // While the value is open, no other connection can change the table.
            if try connection.hasGeneratedColumns(place) { throw SQLiteError(.generatedColumns, at: place) }
            if mode == .readWrite, try connection.hasIndexTrigger(place) { throw SQLiteError(.derivedIndex, at: place) }
        } catch {
            close()
            throw error
        }
    }

    private func openHandle() throws {
        let database = try connection.willOpenValue(place, mode)
        defer { connection.finishPostponedWork() }
        schemaChanges = connection.callbacks.pointee.schemaChanges
        rollbacks = connection.callbacks.pointee.rollbacks
        let code = sqlite3_blob_open(
            database, place.database, place.table, place.column, place.row, mode == .readWrite ? 1 : 0, &handle)
        if code != SQLITE_OK { throw openingError(code, on: database) }
        connection.openValues.insert(self)
    }

    /// Opens a value again before it is written, if SQLite may have read the schema again: it would pass a table that is freed to the
    /// pre-update hook.
    private func keepTable() throws {
        if rollbacks != connection.callbacks.pointee.rollbacks {
            close()
            throw SQLiteError(.expired, at: place)
        }
        guard schemaChanges != connection.callbacks.pointee.schemaChanges else { return }
        // An expired value stays so.
        var byte: UInt8 = 0
        if count > 0 { try check(sqlite3_blob_read(open(), &byte, 1, 0)) }
        try closeAndCommit()
        try openHandle()
    }

    var count: Int { handle.map { Int(sqlite3_blob_bytes($0)) } ?? 0 }

    /// Closes the handle. Outside a transaction, SQLite commits what was written.
    ///
    /// - Returns: The result code of the commit. Closing again does nothing.
    @discardableResult
    func close() -> Int32 {
        guard let handle else { return SQLITE_OK }
        self.handle = nil
        connection.openValues.remove(self)
        return connection.callbacks.duringCall { sqlite3_blob_close(handle) }
    }

    /// Closes the handle.
    ///
    /// - Throws: The error of the commit, after which nothing is written.
    func closeAndCommit() throws {
        let code = close()
        let error = code == SQLITE_OK ? nil : connection.failure(code, sql: nil)
        if connection.callbacks.pointee.hasWorkLeft { connection.finishCallbacks() }
        // An expired value reports its error again when it is closed. Nothing is lost by it.
        if let error, code & 0xff != SQLITE_ABORT { throw error }
    }

    func move(to row: Int64) throws {
        let handle = try open()
        place.row = row
        let code = sqlite3_blob_reopen(handle, row)
        if code == SQLITE_OK { return }
        let error = openingError(code, on: connection.handle)
        close()
        throw error
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try check(offset, buffer.count)
        guard let start = buffer.baseAddress, buffer.count > 0 else { return }
        try check(sqlite3_blob_read(open(), start, Int32(buffer.count), Int32(offset)))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        if mode == .readOnly { throw SQLiteError(.openForReading, at: place) }
        try keepTable()
        try check(offset, bytes.count)
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        try check(sqlite3_blob_write(open(), start, Int32(bytes.count), Int32(offset)))
        connection.followers { $0.didWriteValue(in: place.table, of: place.database) }
    }

    /// Returns the number of bytes.
    ///
    /// - Throws: ``SQLiteError`` when the row was changed.
    func size() throws -> Int {
        _ = try open()
        return count
    }

    /// Throws for bytes that are outside the value, and when the row was changed.
    func check(_ offset: Int, _ count: Int) throws {
        let size = try size()
        if offset < 0 || count > size || offset > size - count {
            throw SQLiteError(.outOfRange(offset: offset, count: count, size: size), at: place)
        }
    }

    private func check(_ code: Int32) throws {
        if code == SQLITE_OK { return }
        if code & 0xff == SQLITE_ABORT { throw SQLiteError(.expired, at: place) }
        throw connection.failure(code, sql: nil)
    }

    private func open() throws -> OpaquePointer {
        if connection.handle == nil { throw connection.closedError() }
        guard let handle else { throw SQLiteError(.expired, at: place) }
        if connection.interruption.isActive { try connection.checkInterruption(sql: nil) }
        return handle
    }
}

// MARK: - Errors

extension OpenValue {
    /// Returns the error of opening the value. SQLite reports the reason in its message alone.
    private func openingError(_ code: Int32, on database: OpaquePointer?) -> any Error {
        let message = sqlite3_errmsg(database).map { String(cString: $0) } ?? ""
        if code & 0xff == SQLITE_ERROR, let problem = BlobProblem(message: message) {
            return SQLiteError(problem, at: place)
        }
        return code & 0xff == SQLITE_ABORT ? SQLiteError(.expired, at: place) : connection.failure(code, sql: nil)
    }
}

extension BlobProblem {
    /// The reason in a message of SQLite; `nil` for another message.
    init?(message: String) {
        let reasons: [(prefix: String, problem: BlobProblem)] = [
            ("no such table: ", .unknownTable), ("no such column: ", .unknownColumn),
            ("no such rowid: ", .unknownRow), ("cannot open view: ", .view),
            ("cannot open virtual table: ", .virtualTable), ("cannot open table without rowid: ", .withoutRowID),
            ("cannot open table with generated columns: ", .generatedColumns),
            ("cannot open indexed column ", .indexedColumn), ("cannot open foreign key column ", .foreignKeyColumn),
            ("cannot open value of type null", .null), ("cannot open value of type ", .number),
        ]
        guard let reason = reasons.first(where: { message.hasPrefix($0.prefix) }) else { return nil }
        self = reason.problem
    }
}
