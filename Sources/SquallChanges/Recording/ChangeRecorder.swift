#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// Records the changes of tables of a connection, from when it is made until it is stopped or released.
///
///     let recorder = try connection.startRecording(in: ["cars"])
///     try connection.run("UPDATE cars SET price = price + 1")
///     let changes = try recorder.changeset()
///
/// Any number of recorders can be active beside one another, and beside hooks and observers. A recorder keeps its connection open, and
/// uses memory for the first value of each row that is changed. Like its connection it is used by one thread at a time.
public final class ChangeRecorder {
    private let connection: Connection
    private let database: String
    private let limit: Int?
    private var session: OpaquePointer?

    init(_ connection: Connection, database: String, memoryLimit: Int?) throws {
        self.connection = connection
        self.database = database
        limit = memoryLimit
        session = try connection.sessions.make(database, memoryLimit: memoryLimit)
    }

    deinit { stop() }

    func record(_ table: String) throws {
        try connection.sessions.attach(table, to: open())
    }

    func recordTables(where isRecorded: @escaping (String) -> Bool) throws {
        try connection.sessions.attachTables(to: open(), where: isRecorded)
    }

    /// Records what makes a table of another database equal to this one.
    func compare(_ table: String, with other: String) throws {
        let session = try open()
        var message: UnsafeMutablePointer<CChar>?
        defer { sqlite3_free(message) }
        let code = use { sqlite3session_diff(session, other, table, &message) }
        if code & 0xff == SQLITE_SCHEMA { throw SQLiteError(ChangesetProblem.differentTables) }
        if code != SQLITE_OK {
            throw SQLiteError(
                code: code, message: message.map { String(cString: $0) } ?? ResultCode(rawValue: code).description)
        }
    }

    /// Whether changes are left out for the moment.
    public var isPaused: Bool {
        get { (try? open()).map { sqlite3session_enable($0, -1) == 0 } ?? true }
        set {
            guard let session = try? open(), !connection.sessions.isFull(session) else { return }
            sqlite3session_enable(session, newValue ? 0 : 1)
        }
    }

    /// Whether changes are recorded as indirect, as those of triggers and foreign keys always are.
    public var isIndirect: Bool {
        get { (try? open()).map { sqlite3session_indirect($0, -1) != 0 } ?? false }
        set { if let session = try? open() { sqlite3session_indirect(session, newValue ? 1 : 0) } }
    }

    /// Whether no row has been changed. Changes that were taken back since count.
    public var isEmpty: Bool { (try? open()).map { sqlite3session_isempty($0) != 0 } ?? true }

    /// The bytes of memory that the recorder uses.
    public var memoryUsed: Int { (try? open()).map { connection.sessions.memoryUsed(by: $0) } ?? 0 }

    /// Returns what has changed since the recorder was made: the difference between the rows then and now.
    ///
    /// - Throws: `SQLiteError`: with a ``RecordingProblem`` for a table that was altered, and for a recorder that
    ///   was stopped.
    public func changeset() throws -> Changeset { try named(changesetWithoutNames()) }

    /// Returns what has changed as a patchset, which has no old values.
    ///
    /// - Throws: As ``changeset()``.
    public func patchset() throws -> Changeset { try named(made(sqlite3session_patchset, isPatchset: true)) }

    /// Ends recording. Stopping again does nothing.
    public func stop() {
        guard let session else { return }
        self.session = nil
        connection.sessions.end(session)
    }

    private func open() throws -> OpaquePointer {
        guard let session else { throw SQLiteError(RecordingProblem.stopped) }
        guard connection.sessions.contains(session) else { throw connection.closedError() }
        return session
    }

    /// Writes what has changed in parts, for changes that are too large for the memory. The rows before the changes are in memory.
    ///
    ///     try recorder.writeChangeset { try file.write(contentsOf: $0) }
    ///
    /// - Throws: As ``changeset()``; the error of the closure.
    public func writeChangeset(to write: @escaping (Data) throws -> Void) throws {
        try stream(write, sqlite3session_changeset_strm, isPatchset: false)
    }

    /// Writes what has changed as a patchset, in parts; see ``writeChangeset(to:)``.
    ///
    /// - Throws: As ``changeset()``; the error of the closure.
    public func writePatchset(to write: @escaping (Data) throws -> Void) throws {
        try stream(write, sqlite3session_patchset_strm, isPatchset: true)
    }

    private func named(_ changes: Changeset) throws -> Changeset {
        var changes = changes
        changes.columnNames = try connection.columnNames(in: database)
        return changes
    }

    /// Returns what has changed, without the names of the columns, which are read from the schema.
    func changesetWithoutNames() throws -> Changeset { try made(sqlite3session_changeset, isPatchset: false) }

    private typealias OutputFunction = (
        OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32

    private func made(_ write: OutputFunction, isPatchset: Bool) throws -> Changeset {
        let rows = try connection.sessions.shortRows(of: open())
        guard !rows.isEmpty || AddedColumns.haveIntegers else { return try written(write) }
        let recorded = try written(sqlite3session_changeset)
        guard try !rows.isEmpty || recorded.mayBeMisreported else { return isPatchset ? try written(write) : recorded }
        return Changeset(trusted: try correction(rows).corrected(recorded, asPatchset: isPatchset))
    }

    private func correction(_ rows: ShortRows) throws -> ShortRowCorrection {
        try ShortRowCorrection(rows, on: connection, in: database)
    }

    /// Whether changes must be corrected, and cannot be written in parts.
    private var mayNeedCorrection: Bool {
        get throws {
            if try !connection.sessions.shortRows(of: open()).isEmpty { return true }
            return try AddedColumns.haveIntegers
                && connection.recordedTables(in: database).contains(where: \.hasRealDefault)
        }
    }

    private func written(_ write: OutputFunction) throws -> Changeset {
        var (bytes, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        try readRows { write($0, &count, &bytes) }
        return Changeset(trusted: Data(takingChangeset: bytes, count: count))
    }

    private func stream(
        _ write: @escaping (Data) throws -> Void,
        _ function: (OpaquePointer?, SessionOutput?, UnsafeMutableRawPointer?) -> Int32, isPatchset: Bool
    ) throws {
        if try mayNeedCorrection {
            let changes = try isPatchset ? patchset() : changeset()
            return changes.isEmpty ? () : try write(changes.data)
        }
        let output = ChangesetOutput(write)
        try output.check { try readRows { function($0, ChangesetOutput.output, output.pointer) } }
    }

    /// Calls a function that reads the rows as they are now.
    private func readRows(_ function: (OpaquePointer) -> Int32) throws {
        let session = try open()
        if connection.handle == nil { throw connection.closedError() }
        if let limit, connection.sessions.isFull(session) {
            throw SQLiteError(RecordingProblem.memoryLimit(limit))
        }
        let wasInTransaction = connection.isInTransaction
        let code = use { function(session) }
        // SQLite reads in a savepoint, and leaves it open, also without an error, if it has no memory for releasing it.
        if !wasInTransaction, connection.isInTransaction, !connection.cleanUp("RELEASE changeset") {
            connection.rollBackOpenTransaction()
        }
        if code & 0xff == SQLITE_SCHEMA { throw SQLiteError(RecordingProblem.altered) }
        if code != SQLITE_OK { throw connection.error(code, sql: nil) }
    }

    /// Calls a function of SQLite that uses the session: it reads rows, by statements with a condition for each column of a key, and calls
    /// the closure of a stream.
    private func use(_ function: () -> Int32) -> Int32 {
        let limit = connection.handle.map { sqlite3_limit($0, SQLITE_LIMIT_EXPR_DEPTH, Int32.max) }
        defer {
            if let handle = connection.handle, let limit { sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, limit) }
        }
        return connection.duringCall { connection.internally(isHidden: true, function) }
    }
}

extension Connection {
    /// Returns the names of the columns of all tables of a database.
    func columnNames(in database: String) throws -> [Identifier: [String]] {
        try recordedTablesByName(in: database).mapValues(\.columns)
    }
}
