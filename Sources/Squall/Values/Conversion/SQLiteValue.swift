import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value held by SQLite: a column of a row, live or detached, or an argument of a function.
///
/// It is valid only during the call that received it. Squall reads every value through this type, so that the same
/// value is read the same way everywhere.
///
/// Reading the storage class through the value takes 1.17× the time of a read without the storage class. Calling
/// `sqlite3_column_type` beside the read would take 1.42×.
@frozen
public struct SQLiteValue {
    @usableFromInline package let pointer: OpaquePointer

    @inlinable
    package init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The storage class.
    public var dataType: Row.Column.DataType {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .float
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    @inlinable
    public var isNull: Bool { sqlite3_value_type(pointer) == SQLITE_NULL }

    /// The integer of an INTEGER, or of a REAL that is a whole number in range; `nil` for any other value.
    @inlinable
    public var integer: Int64? {
        if sqlite3_value_type(pointer) == SQLITE_INTEGER { return sqlite3_value_int64(pointer) }
        return integerFromReal
    }

    @usableFromInline
    var integerFromReal: Int64? {
        guard sqlite3_value_type(pointer) == SQLITE_FLOAT else { return nil }
        return Int64(exactly: sqlite3_value_double(pointer))
    }

    /// The number of a REAL, or of an INTEGER that a `Double` holds exactly; `nil` for any other value.
    @inlinable
    public var real: Double? {
        if sqlite3_value_type(pointer) == SQLITE_FLOAT { return sqlite3_value_double(pointer) }
        return realFromInteger
    }

    @usableFromInline
    var realFromInteger: Double? {
        guard sqlite3_value_type(pointer) == SQLITE_INTEGER else { return nil }
        return Double(exactly: sqlite3_value_int64(pointer))
    }

    /// The text of a TEXT that is valid UTF-8, including embedded NUL; `nil` for any other value.
    @inlinable
    public var text: String? {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT, let start = sqlite3_value_text(pointer) else { return nil }
        // Read the text before its length: the other order may convert it twice.
        return String(checking: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer))))
    }

    /// The bytes of a TEXT, valid UTF-8 or not, without a copy.
    @inlinable
    var textBytes: UnsafeBufferPointer<UInt8>? {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT, let start = sqlite3_value_text(pointer) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
    }

    /// The bytes of a TEXT that is valid UTF-8, without a copy.
    @inlinable
    var validUTF8: UnsafeBufferPointer<UInt8>? {
        textBytes.flatMap { $0.isValidUTF8 ? $0 : nil }
    }

    /// The bytes of a BLOB, or of a TEXT that is not valid UTF-8; `nil` for any other value.
    public var data: Data? {
        // Not `Data(bytes)`, which is for any sequence: a row of six values then takes 75 instructions more (callgrind, 2026-11-23).
        bytes.map { bytes in bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data() }
    }

    /// The bytes that `data` returns, without a copy.
    @usableFromInline
    var bytes: UnsafeRawBufferPointer? {
        switch sqlite3_value_type(pointer) {
        case SQLITE_BLOB: storedBytes
        case SQLITE_TEXT: validUTF8 == nil && sqlite3_value_text(pointer) != nil ? storedBytes : nil
        default: nil
        }
    }

    /// `nil` where SQLite had no memory for the bytes of a `zeroblob`: it returns their number then, but no address.
    private var storedBytes: UnsafeRawBufferPointer? {
        let start = sqlite3_value_blob(pointer)
        let count = Int(sqlite3_value_bytes(pointer))
        return start == nil && count > 0 ? nil : UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Whether SQLite lacks the memory to convert a TEXT to UTF-8, or to make the bytes of a `zeroblob`.
    var isOutOfMemory: Bool {
        switch sqlite3_value_type(pointer) {
        case SQLITE_TEXT: sqlite3_value_text(pointer) == nil
        case SQLITE_BLOB: storedBytes == nil
        default: false
        }
    }

    /// The value in the type of its storage class: `Int64`, `Double`, `String`, `Data`, or `nil` for NULL.
    public var any: Any? { bindingValue.any }

    /// A copy of the value. TEXT that is not valid UTF-8 is a `malformedText` of its bytes.
    public var bindingValue: BindingValue {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(pointer))
        case SQLITE_FLOAT: .real(sqlite3_value_double(pointer))
        case SQLITE_TEXT: text.map { .text($0) } ?? .malformedText(data(storedBytes))
        case SQLITE_BLOB: .blob(data(storedBytes))
        default: .null
        }
    }

    private func data(_ bytes: UnsafeRawBufferPointer?) -> Data { bytes.map { Data($0) } ?? Data() }
}

extension SQLiteValue {
    /// Calls a closure with the bytes of a BLOB, where SQLite has them; `nil` for a value that is not a BLOB. TEXT that is not valid UTF-8 is
    /// also read as bytes.
    @inlinable
    public func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? {
        try bytes.map { try body(RawSpan(_unsafeBytes: $0)) }
    }

    /// Calls a closure with the UTF-8 of a TEXT, where SQLite has it; `nil` for a value that is not TEXT, and for TEXT that is not valid
    /// UTF-8.
    @inlinable
    public func withUTF8<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result? {
        try validUTF8.map { try body(Span(_unsafeElements: $0)) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are valid UTF-8.
    @inlinable
    var isValidUTF8: Bool {
        if isASCII { return true }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return (try? UTF8Span(validating: Span(_unsafeElements: self))) != nil
        }
        return String(checking: self) != nil
    }

    /// Whether all bytes are ASCII. In the standard library it is a part of two calls, of 78 instructions for 40 bytes (callgrind,
    /// 2026-11-25).
    @inlinable
    var isASCII: Bool {
        guard let start = UnsafeRawPointer(baseAddress) else { return true }
        var high: UInt64 = 0
        if count < 8 {
            for byte in self { high |= UInt64(byte) }
        } else {
            var offset = 0
            while offset < count &- 8 {
                high |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            // The last word overlaps the one before.
            high |= start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        }
        return high & 0x8080_8080_8080_8080 == 0
    }
}

extension String {
    /// Copies valid UTF-8; `nil` for invalid UTF-8.
    ///
    /// It takes 24 ns for 17 bytes. `String(validating:as:)` takes 55 ns, and the repairing `String(decoding:as:)` 21
    /// ns.
    @inlinable
    package init?(checking bytes: UnsafeBufferPointer<UInt8>) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            guard let span = try? UTF8Span(validating: Span(_unsafeElements: bytes)) else { return nil }
            self.init(copying: span)
        } else {
            // If decoding repaired the text, its bytes differ.
            self.init(decoding: bytes, as: UTF8.self)
            guard utf8.elementsEqual(bytes) else { return nil }
        }
    }
}
