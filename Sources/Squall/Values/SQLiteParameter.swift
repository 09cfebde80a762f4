import CSQLite
import Foundation

/// A parameter of a statement, ready to be bound.
///
/// It is valid only in the call that it was passed to. Every `bind` copies what it is given.
@frozen
public struct SQLiteParameter {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let index: Int32
    @usableFromInline let arena: UnsafeMutablePointer<ParameterArena>?

    @inlinable
    init(statement: OpaquePointer, index: Int32, arena: UnsafeMutablePointer<ParameterArena>?) {
        self.statement = statement
        self.index = index
        self.arena = arena
    }

    @inlinable
    public func bindNull() throws {
        try check(sqlite3_bind_null(statement, index))
    }

    @inlinable
    public func bind(_ value: Int64) throws {
        try check(sqlite3_bind_int64(statement, index, value))
    }

    /// Binds a REAL. NaN throws: SQLite would store NULL in its place.
    @inlinable
    public func bind(_ value: Double) throws {
        if value.isNaN { throw notANumber() }
        try check(sqlite3_bind_double(statement, index, value))
    }

    /// Binds TEXT with all its bytes, embedded NUL included.
    public func bind(_ value: String) throws {
        let code = value.utf8.withContiguousStorageIfAvailable {
            bindText(UnsafeRawBufferPointer($0))
        }
        if let code { try check(code) } else { try bindBridged(value) }
    }

    /// Binds a BLOB; no bytes make an empty BLOB, not NULL.
    public func bind(_ bytes: UnsafeRawBufferPointer) throws {
        // SQLite takes a null pointer for NULL, and an empty buffer may have one.
        if let start = bytes.baseAddress, bytes.count > 0 {
            if bytes.count <= ParameterArena.largestValue, let copy = arena?.pointee.copy(bytes) {
                try check(squall_bind_static_blob(statement, index, copy, UInt64(bytes.count)))
            } else {
                try check(squall_bind_blob(statement, index, start, UInt64(bytes.count)))
            }
        } else {
            try check(sqlite3_bind_zeroblob(statement, index, 0))
        }
    }

    /// Binds the bytes of a value, which the statement keeps: they are not copied.
    func bind(_ bytes: UnsafeRawBufferPointer, of value: Data) throws {
        guard let arena else { return try bind(bytes) }
        arena.pointee.keep(value)
        try check(squall_bind_static_blob(statement, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    @inline(never)
    private func bindBridged(_ value: String) throws {
        var native = value
        try check(native.withUTF8 { bindText(UnsafeRawBufferPointer($0)) })
    }

    @inline(__always)
    func bindText(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        if (1...ParameterArena.largestValue).contains(bytes.count), let copy = arena?.pointee.copy(bytes) {
            return squall_bind_static_text(statement, index, copy, UInt64(bytes.count))
        }
        return squall_bind_text(statement, index, bytes.baseAddress, UInt64(bytes.count))
    }

    @inlinable
    func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }

    @usableFromInline
    func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code, on: sqlite3_db_handle(statement), sql: String(cString: sqlite3_sql(statement)))
    }

    @usableFromInline
    func notANumber() -> SQLiteError {
        SQLiteError(
            code: SQLITE_MISMATCH,
            message: "NaN cannot be bound to parameter \(index): SQLite would store NULL",
            sql: String(cString: sqlite3_sql(statement))
        )
    }
}
