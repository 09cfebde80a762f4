import SquallSQLite
import Foundation

// The hand-written side: SQLite's C interface as a C programmer uses it, called from Swift. Columns are read without a look
// at their storage class, buffers that live through the step are bound without a copy (SQLITE_STATIC, a null destructor), and
// errors are looked at where C programs look at them. Everything here is inlined into the loops of the rows.

/// A connection without SQLite's mutex, in WAL mode.
final class CDatabase {
    let handle: OpaquePointer

    /// Opens a file without a setting.
    init(_ path: String, flags: Int32) throws {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw Failure("cannot open \(path)")
        }
        self.handle = handle
    }

    convenience init(_ path: String, synchronous: String = "NORMAL") throws {
        try self.init(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous)")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    var failure: Failure { Failure("C: \(String(cString: sqlite3_errmsg(handle)))") }

    func execute(_ script: String) throws {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func prepare(_ sql: String) throws -> CStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure }
        return CStatement(database: self, handle: statement)
    }
}

/// A prepared statement. A struct, so that no reference is counted in the loops; the rows keep them until the end.
struct CStatement {
    let database: CDatabase
    let handle: OpaquePointer

    @inline(__always)
    func forEachRow(_ body: () throws -> Void) throws {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW {
            try body()
            code = sqlite3_step(handle)
        }
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw database.failure }
    }

    @inline(__always)
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw database.failure }
    }

    @inline(__always)
    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    @inline(__always)
    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    @inline(__always)
    func text(_ column: Int32) -> String {
        let start = sqlite3_column_text(handle, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    func blob(_ column: Int32) -> Data {
        guard let start = sqlite3_column_blob(handle, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The number of a column, looked up once before a loop.
    func column(_ name: String) throws -> Int32 {
        for index in 0..<sqlite3_column_count(handle) where strcmp(sqlite3_column_name(handle, index), name) == 0 {
            return index
        }
        throw Failure("C: no column \(name)")
    }
}

extension CDatabase {
    /// Everything that a query returns, to compare what the sides have written.
    static func checksum(of path: String, _ sql: String) throws -> Checksum {
        let statement = try CDatabase(path).prepare(sql)
        defer { sqlite3_finalize(statement.handle) }
        var sum = Checksum()
        try statement.forEachRow {
            for column in 0..<sqlite3_column_count(statement.handle) {
                sum.add(Int(sqlite3_column_type(statement.handle, column)))
                sum.add(statement.blob(column))
            }
        }
        return sum
    }
}
