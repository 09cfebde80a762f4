import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value as SQLite holds it: a column of a row, live or detached, or an argument of a function.
///
/// It is valid only in the call that it was passed to. Every way of reading a value in Squall ends here, so that the
/// same value is read alike everywhere. Asking for the storage class through the value costs 1.17 of a read that does
/// not ask; `sqlite3_column_type` beside the read would cost 1.42.
@frozen
public struct SQLiteValue {
    @usableFromInline let pointer: OpaquePointer

    @inlinable
    init(_ pointer: OpaquePointer) {
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

    /// An INTEGER, or a REAL that is a whole number in range; `nil` for anything else.
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

    /// A REAL, or an INTEGER that a `Double` holds exactly; `nil` for anything else.
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

    /// TEXT that is valid UTF-8, embedded NUL included; `nil` for anything else.
    @inlinable
    public var text: String? {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT, let start = sqlite3_value_text(pointer) else { return nil }
        // The text first, then its length: the other order may convert twice.
        return String(checking: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer))))
    }

    /// The bytes of TEXT, valid or not, without a copy.
    var textBytes: UnsafeBufferPointer<UInt8>? {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT, let start = sqlite3_value_text(pointer) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
    }

    /// A BLOB, or TEXT that is no valid UTF-8 and so has no other form; `nil` for anything else.
    public var data: Data? { bytes.map { Data($0) } }

    /// The same as `data`, without a copy.
    @usableFromInline
    var bytes: UnsafeRawBufferPointer? {
        switch sqlite3_value_type(pointer) {
        case SQLITE_BLOB: storedBytes
        case SQLITE_TEXT: text == nil ? storedBytes : nil
        default: nil
        }
    }

    private var storedBytes: UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(pointer)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
    }

    /// The value in the type of its storage class: `Int64`, `Double`, `String`, `Data`, or `nil` for NULL.
    public var any: Any? { bindingValue.any }

    /// A copy of the value. TEXT that is no valid UTF-8 becomes a `blob` of its bytes.
    public var bindingValue: BindingValue {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(pointer))
        case SQLITE_FLOAT: .real(sqlite3_value_double(pointer))
        case SQLITE_TEXT: text.map { .text($0) } ?? .blob(Data(storedBytes))
        case SQLITE_BLOB: .blob(Data(storedBytes))
        default: .null
        }
    }
}

extension String {
    /// Copies UTF-8 that is valid, and refuses what is not.
    ///
    /// `String(validating:as:)` would take 55 ns for 17 bytes; this takes 24, the repairing `String(decoding:as:)` 21.
    @inlinable
    init?(checking bytes: UnsafeBufferPointer<UInt8>) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            guard let span = try? UTF8Span(validating: Span(_unsafeElements: bytes)) else { return nil }
            self.init(copying: span)
        } else {
            // A repair shows as a difference.
            self.init(decoding: bytes, as: UTF8.self)
            guard utf8.elementsEqual(bytes) else { return nil }
        }
    }
}
