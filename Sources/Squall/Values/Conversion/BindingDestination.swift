import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The destination of a value in SQL: a parameter of a statement, or the result of a function that is written in Swift.
///
/// It is valid only during the call that received it. Every `bind` copies its value.
@frozen
public struct BindingDestination {
    /// The statement, or the context of the function.
    @usableFromInline let target: OpaquePointer
    /// The number of the parameter, from 1; 0 for the result of a function. Testing it costs 0.5 % of an insert of six
    /// values.
    @usableFromInline var index: Int32
    @usableFromInline let arena: UnsafeMutablePointer<ParameterArena>?

    @inlinable
    init(statement: OpaquePointer, index: Int32, arena: UnsafeMutablePointer<ParameterArena>?) {
        self.target = statement
        self.index = index
        self.arena = arena
    }

    /// The first parameter of a statement.
    package init(parametersOf statement: OpaquePointer) {
        self.init(statement: statement, index: 1, arena: nil)
    }

    @inlinable
    init(resultOf context: OpaquePointer) {
        self.target = context
        self.index = 0
        self.arena = nil
    }

    @usableFromInline
    var isResult: Bool {
        @inlinable get { index == 0 }
    }

    /// Binds a value to this parameter, and goes on to the next one.
    @inlinable
    @inline(__always)
    package mutating func bindNext(_ value: some StatementParameter) throws {
        try value.bindOrNull(to: self)
        index &+= 1
    }

    /// Binds NULL.
    ///
    /// - Throws: ``SQLiteError`` when SQLite refuses it.
    @inlinable
    public func bindNull() throws {
        if isResult { return sqlite3_result_null(target) }
        try check(sqlite3_bind_null(target, index))
    }

    /// Binds an INTEGER.
    ///
    /// - Throws: ``SQLiteError`` when SQLite refuses it.
    @inlinable
    public func bind(_ value: Int64) throws {
        if isResult { return sqlite3_result_int64(target, value) }
        try check(sqlite3_bind_int64(target, index, value))
    }

    /// Binds a REAL.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for NaN, which SQLite would store as NULL.
    @inlinable
    public func bind(_ value: Double) throws {
        if value.isNaN { throw nanError() }
        if isResult { return sqlite3_result_double(target, value) }
        try check(sqlite3_bind_double(target, index, value))
    }

    /// Binds TEXT with all its bytes, including embedded NUL.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_TOOBIG` (18) for a text over SQLite's length limit.
    public func bind(_ value: String) throws {
        let code = value.utf8.withContiguousStorageIfAvailable {
            bindText(UnsafeRawBufferPointer($0))
        }
        if let code { try check(code) } else { try bindBridged(value) }
    }

    /// Binds TEXT of which the UTF-8 is at hand. Other bytes make a TEXT that is not valid, as SQLite allows.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_TOOBIG` (18) for a text over SQLite's length limit.
    public func bind(utf8 bytes: UnsafeRawBufferPointer) throws {
        // Without bytes the pointer may be null, which would be NULL.
        if bytes.isEmpty { try bind("") } else { try check(bindText(bytes)) }
    }

    /// Binds a BLOB. Without bytes the BLOB is empty, not NULL.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_TOOBIG` (18) for more bytes than SQLite's length limit.
    public func bind(_ bytes: UnsafeRawBufferPointer) throws {
        // SQLite treats a null pointer as NULL, and an empty buffer may have a null pointer.
        guard let start = bytes.baseAddress, bytes.count > 0 else { return try bindNoBytes() }
        if isResult { return squall_result_blob(target, start, UInt64(bytes.count)) }
        if bytes.count <= ParameterArena.largestValue, let copy = arena?.pointee.copy(bytes) {
            try check(squall_bind_static_blob(target, index, copy, UInt64(bytes.count)))
        } else {
            arena?.pointee.noteCopy(ofSize: bytes.count)
            try check(squall_bind_blob(target, index, start, UInt64(bytes.count)))
        }
    }

    /// Binds the bytes of a value without a copy. The value must stay in place until the statement has been run.
    func bind(_ bytes: UnsafeRawBufferPointer, of value: Data) throws {
        guard let arena, arena.pointee.keepsLargeValues else { return try bind(bytes) }
        arena.pointee.keep(value)
        try check(squall_bind_static_blob(target, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    private func bindNoBytes() throws { try bind(zeros: 0) }

    /// Binds a BLOB of zeros, which SQLite does not keep in memory.
    func bind(zeros count: UInt64) throws {
        try check(
            isResult ? sqlite3_result_zeroblob64(target, count) : sqlite3_bind_zeroblob64(target, index, count))
    }

    @inline(never)
    private func bindBridged(_ value: String) throws {
        var native = value
        try check(native.withUTF8 { bindText(UnsafeRawBufferPointer($0)) })
    }

    @inline(__always)
    func bindText(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        if isResult {
            // SQLite itself makes the function fail for text that is too long, without returning a code.
            squall_result_text(target, bytes.baseAddress, UInt64(bytes.count))
            return SQLITE_OK
        }
        if (1...ParameterArena.largestValue).contains(bytes.count), let copy = arena?.pointee.copy(bytes) {
            return squall_bind_static_text(target, index, copy, UInt64(bytes.count))
        }
        arena?.pointee.noteCopy(ofSize: bytes.count)
        return squall_bind_text(target, index, bytes.baseAddress, UInt64(bytes.count))
    }

    /// Binds TEXT that a closure writes, to the parameter's own memory where there is one.
    ///
    /// - Parameter count: The number of bytes, at most `ParameterArena.largestValue`.
    @inline(__always)
    func bindText(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) throws {
        if let memory = arena?.pointee.reserve(count) {
            write(UnsafeMutableRawBufferPointer(start: memory, count: count))
            return try check(squall_bind_static_text(target, index, memory, UInt64(count)))
        }
        try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            write(buffer)
            try check(bindText(UnsafeRawBufferPointer(buffer)))
        }
    }

    @inlinable
    func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }

    @usableFromInline
    func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code, on: sqlite3_db_handle(target), sql: String(cString: sqlite3_sql(target)))
    }

    @usableFromInline
    func nanError() -> SQLiteError {
        if isResult {
            return SQLiteError(
                code: SQLITE_MISMATCH, message: "NaN cannot be the result of a function: SQLite would make it NULL"
            )
        }
        return SQLiteError(
            .unstorable(type: "Double", reason: .notANumberForParameter(Int(index))), code: .mismatch,
            sql: String(cString: sqlite3_sql(target))
        )
    }
}
