import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// # Blobs
//
// Parts of one value are read and written where they are in the database, by SQLite's incremental I/O.
//
//     try connection.run("INSERT INTO files(body) VALUES(\(ZeroBlob(count: 1_000_000)))")
//     let row = connection.lastInsertRowID
//     try connection.withBlob(in: "files", column: "body", row: row, mode: .readWrite) { blob in
//         try blob.write([UInt8](repeating: 1, count: 16), at: 500_000)
//     }
//
// `Blob` is the public view, which cannot be copied. It has an `OpenValue`, which owns SQLite's handle of the value.
// `OpenValues` is a companion and a follower of the connection that lists what is open. `BlobPlace` names a value.
//
// A value is used so:
// 1. `withBlob` makes an `OpenValue`. `willOpenValue` makes the checks that `willStart` makes for a statement.
// 2. `sqlite3_blob_open` opens the value. Tables with generated columns are refused, and for writing the columns that
//    triggers index.
// 3. `read` and `write` check the range, the deadline and the cancellation.
// 4. `write` calls `didWriteValue` of the followers, because SQLite calls no update hook.
// 5. `closeAndCommit()` closes the value, after an error of the closure too. Outside a transaction, that commits.
//
// Invariants: The size of a value does not change. `BlobProblem.expired` is thrown after a change of the row, and for a
// write after a rollback. A value is opened again before a write if SQLite may have read the schema again, which frees
// the table that it uses. `endBusyStatements()` closes all open values: SQLite's statement of a value must not be
// reset. A read of a pool opens values only for reading.

/// The bytes of one value, which are read and written in parts, where they are in the database.
///
///     try connection.withBlob(in: "files", column: "body", row: id) { blob in
///         var header = [UInt8](repeating: 0, count: 16)
///         try blob.read(into: &header, at: 0)
///     }
///
/// A value cannot grow or shrink: insert a ``ZeroBlob`` to reserve its bytes, or update it. A blob is open while the closure of
/// ``Connection/withBlob(in:column:row:database:mode:_:)`` runs. After its row was changed by other means, reading and writing throw
/// ``BlobProblem/expired``.
public struct Blob: ~Copyable {
    /// The use of an open value.
    public enum Mode: Hashable, Sendable {
        case readOnly
        /// The value can be written, except in a column with an index or a foreign key. The connection has a write transaction until the
        /// value is closed.
        case readWrite
    }

    let value: OpenValue

    init(_ value: OpenValue) {
        self.value = value
    }

    /// The number of bytes; 0 after a function has thrown ``BlobProblem/expired``.
    public var count: Int { value.count }

    /// The rowid of the row.
    public var row: Int64 { value.place.row }

    /// Opens the value of another row, in the same column. It takes a third of the time of a `SELECT`.
    ///
    /// - Throws: ``SQLiteError``, with the problem ``BlobProblem/unknownRow``,
    ///   ``BlobProblem/null``, ``BlobProblem/number`` or ``BlobProblem/expired``. The blob is then closed.
    public func move(to row: Int64) throws { try value.move(to: row) }

    /// Reads as many bytes as the array has. Offsets count from 0.
    ///
    /// - Throws: ``SQLiteError``, with the problem ``BlobProblem/outOfRange(offset:count:size:)`` or
    ///   ``BlobProblem/expired``; `SQLITE_INTERRUPT` (9) after a cancellation or a deadline.
    public func read(into buffer: inout [UInt8], at offset: Int) throws {
        try buffer.withUnsafeMutableBytes { try value.read(into: $0, at: offset) }
    }

    /// Reads as many bytes as the data have.
    ///
    /// - Throws: As ``read(into:at:)-([UInt8],_)``.
    public func read(into buffer: inout Data, at offset: Int) throws {
        try buffer.withUnsafeMutableBytes { try value.read(into: $0, at: offset) }
    }

    /// Reads as many bytes as the span has.
    ///
    /// - Throws: As ``read(into:at:)-([UInt8],_)``.
    public func read(into buffer: inout MutableRawSpan, at offset: Int) throws {
        try buffer.withUnsafeMutableBytes { try value.read(into: $0, at: offset) }
    }

    /// Returns the bytes of a range.
    ///
    /// - Throws: As ``read(into:at:)-([UInt8],_)``.
    public func data(in range: Range<Int>) throws -> Data {
        // Checked first: the range may be larger than the memory.
        try value.check(range.lowerBound, range.count)
        var data = Data(count: range.count)
        try read(into: &data, at: range.lowerBound)
        return data
    }

    /// Returns all bytes.
    ///
    /// - Throws: As ``read(into:at:)-([UInt8],_)``.
    public func data() throws -> Data { try data(in: 0..<count) }

    /// Writes the bytes of a span. Offsets count from 0.
    ///
    /// - Throws: ``SQLiteError``, with the problem ``BlobProblem/outOfRange(offset:count:size:)``,
    ///   ``BlobProblem/openForReading`` or ``BlobProblem/expired``; `SQLITE_FULL` (13); `SQLITE_INTERRUPT` (9)
    ///   after a cancellation or a deadline.
    public func write(_ bytes: RawSpan, at offset: Int) throws {
        try bytes.withUnsafeBytes { try value.write($0, at: offset) }
    }

    /// Writes the bytes of a span.
    ///
    /// - Throws: As ``write(_:at:)-(RawSpan,_)``.
    public func write(_ bytes: Span<UInt8>, at offset: Int) throws {
        try bytes.withUnsafeBytes { try value.write($0, at: offset) }
    }

    /// Writes bytes: those of `[UInt8]`, `Data` and others.
    ///
    /// - Throws: As ``write(_:at:)-(RawSpan,_)``.
    public func write(_ bytes: some ContiguousBytes, at offset: Int) throws {
        try bytes.withUnsafeBytes { try value.write($0, at: offset) }
    }
}

/// The place of a value that is read or written as a ``Blob``.
struct BlobPlace: Hashable, Sendable {
    /// The name of the database: `main`, `temp` or that of an attached one.
    let database: String
    let table: String
    let column: String
    /// The rowid of the row.
    var row: Int64
}

extension SQLiteError {
    init(_ problem: BlobProblem, at place: BlobPlace) {
        self.init(
            problem, of: .value(in: place.table, column: place.column, row: place.row, database: place.database))
    }
}
