import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whether a call of a function still goes on. What SQift's forms hand to closures looks here before it follows a pointer.
final class FunctionCallState {
    fileprivate(set) var isOver = false

    /// Calls a function with a state that ends with it.
    static func during<Result>(_ body: (FunctionCallState) throws -> Result) rethrows -> Result {
        let state = FunctionCallState()
        defer { state.isOver = true }
        return try body(state)
    }
}

extension Connection {
    /// An argument of a function, as SQift gives it: SQLite converts what is of another type than is asked for.
    ///
    /// It is valid only in the call that it was passed to. One that was kept is NULL.
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

        /// The value as a number, by its low 32 bits; 0 for what is no number.
        public var integer: Int32 { pointer.map { sqlite3_value_int($0) } ?? 0 }

        /// The value as a number; 0 for what is no number. A fraction is cut off.
        public var long: Int64 { pointer.map { sqlite3_value_int64($0) } ?? 0 }

        /// The value as a number; 0 for what is no number.
        public var double: Double { pointer.map { sqlite3_value_double($0) } ?? 0 }

        /// The value as text, embedded NUL included, repaired where it is not valid UTF-8; empty for NULL.
        public var text: String {
            // SQLite would make the value itself a text, and say so when it is asked for the type.
            if isData { return String(decoding: buffer, as: UTF8.self) }
            guard let pointer, let start = sqlite3_value_text(pointer) else { return "" }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
            return String(decoding: bytes, as: UTF8.self)
        }

        /// A copy of the bytes of the value; empty for NULL.
        public var data: Data { Data(buffer) }

        /// The bytes of the value, which are valid only in the call of the function; empty for NULL.
        public var buffer: UnsafeRawBufferPointer {
            guard let pointer, let start = sqlite3_value_blob(pointer) else {
                return UnsafeRawBufferPointer(start: nil, count: 0)
            }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
        }

        /// The date that a text means, as ``bindingDateFormatter`` reads it.
        public var date: Date? { pointer.flatMap { Date.fromSQLiteValue(SQLiteValue($0)) } }

        /// The storage class.
        public var type: DataType { DataType(pointer.map { sqlite3_value_type($0) } ?? SQLITE_NULL) }

        /// The storage class after a text that is a number has been made one.
        public var numericType: DataType { DataType(pointer.map { sqlite3_value_numeric_type($0) } ?? SQLITE_NULL) }

        public var isNull: Bool { type == .null }
        public var isInteger: Bool { type == .integer }
        public var isDouble: Bool { type == .double }
        public var isText: Bool { type == .text }
        public var isData: Bool { type == .data }
    }
}
