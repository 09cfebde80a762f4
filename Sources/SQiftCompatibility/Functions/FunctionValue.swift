import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of a function call. SQift's forms pass objects to closures, which check it before they follow a pointer.
final class FunctionCallState {
    fileprivate(set) var isOver = false

    /// Calls a function with a state that ends with the call.
    static func during<Result>(_ body: (FunctionCallState) throws -> Result) rethrows -> Result {
        let state = FunctionCallState()
        defer { state.isOver = true }
        return try body(state)
    }
}

extension Connection {
    /// An argument of a function in SQift's form. SQLite converts a value that has another type than the property that is read.
    ///
    /// It is valid only during the call that received it, and is NULL afterwards.
    public struct FunctionValue {
        /// A storage class, by SQift's names.
        public enum DataType: Hashable, Sendable {
            case null, integer, double, text, data

            fileprivate init(_ code: Int32) {
                switch code {
                case SQLITE_INTEGER: self = .integer
                case SQLITE_FLOAT: self = .double
                case SQLITE_TEXT: self = .text
                case SQLITE_BLOB: self = .data
                default: self = .null
                }
            }
        }

        private let value: OpaquePointer
        private let state: FunctionCallState

        private var pointer: OpaquePointer? { state.isOver ? nil : value }

        static func all(of call: FunctionCall, _ state: FunctionCallState) -> [FunctionValue] {
            (0..<call.count).compactMap { index in
                call.values?[index].map { FunctionValue(value: $0, state: state) }
            }
        }

        /// The low 32 bits of the value as a number; 0 for a value that is not a number.
        public var integer: Int32 { pointer.map { sqlite3_value_int($0) } ?? 0 }

        /// The value as a number, without its fraction; 0 for a value that is not a number.
        public var long: Int64 { pointer.map { sqlite3_value_int64($0) } ?? 0 }

        /// The value as a number; 0 for a value that is not a number.
        public var double: Double { pointer.map { sqlite3_value_double($0) } ?? 0 }

        /// The value as text with embedded NUL; empty for NULL. Invalid UTF-8 is repaired.
        public var text: String {
            // SQLite would convert the value itself to text, and then report TEXT as its type.
            if isData { return String(decoding: buffer, as: UTF8.self) }
            guard let pointer, let start = sqlite3_value_text(pointer) else { return "" }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
            return String(decoding: bytes, as: UTF8.self)
        }

        /// A copy of the bytes of the value; empty for NULL.
        public var data: Data { Data(buffer) }

        /// The bytes of the value, valid only during the call; empty for NULL.
        public var buffer: UnsafeRawBufferPointer {
            guard let pointer, let start = sqlite3_value_blob(pointer) else {
                return UnsafeRawBufferPointer(start: nil, count: 0)
            }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
        }

        /// Calls a closure with the bytes of a BLOB, without a copy; `nil` for a value that is not a BLOB. TEXT that is not valid UTF-8 is also
        /// read as bytes.
        public func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? {
            try pointer.flatMap { try SQLiteValue($0).withBytes(body) }
        }

        /// Calls a closure with the UTF-8 of a TEXT, without a copy; `nil` for a value that is not TEXT, and for TEXT that is not valid
        /// UTF-8.
        public func withUTF8<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result? {
            try pointer.flatMap { try SQLiteValue($0).withUTF8(body) }
        }

        /// The date of a text, read by `bindingDateFormatter`.
        public var date: Date? { pointer.flatMap { Date.fromSQLiteValue(SQLiteValue($0)) } }

        /// The storage class.
        public var type: DataType { DataType(pointer.map { sqlite3_value_type($0) } ?? SQLITE_NULL) }

        /// The storage class of the value, after numeric text has been converted to a number.
        public var numericType: DataType { DataType(pointer.map { sqlite3_value_numeric_type($0) } ?? SQLITE_NULL) }

        public var isNull: Bool { type == .null }
        public var isInteger: Bool { type == .integer }
        public var isDouble: Bool { type == .double }
        public var isText: Bool { type == .text }
        public var isData: Bool { type == .data }
    }
}
