import Squall
import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// FTS5 passes the values of columns as text.

extension SearchMatch {
    /// Returns the value of a column.
    ///
    ///     let date = try match.column(2, as: Double.self)
    ///
    /// FTS5 passes every value as text, of which numbers are read. A table without content has no values.
    ///
    /// - Throws: `ConversionError` for NULL and for a value that does not fit; `SQLiteError`.
    public borrowing func column<Value: Extractable>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
        if let value = try column(index, as: Value?.self) { return value }
        throw ConversionError(ofColumn: index, expected: "\(Value.self)", .null, text: nil)
    }

    /// Returns the value of a column; `nil` for NULL.
    ///
    /// - Throws: `ConversionError` for a value that does not fit; `SQLiteError`.
    public borrowing func column<Value: Extractable>(_ index: Int, as type: Value?.Type) throws -> Value? {
        try withColumn(index) { bytes -> Value? in
            guard let bytes else { return nil }
            if let stored = Self.value(bytes, as: Value.BindingType.self),
                let value = Value.fromBindingValue(stored) as? Value
            {
                return value
            }
            let text = String(decoding: bytes, as: UTF8.self)
            throw ConversionError(ofColumn: index, expected: "\(Value.self)", .unacceptable, text: .text(text))
        }
    }

    /// Calls a closure with the bytes of a column as text in UTF-8, which may be invalid; none for NULL.
    ///
    /// - Throws: The closure's error; `SQLiteError`.
    public borrowing func withText<Result>(
        ofColumn index: Int, _ body: (Span<UInt8>) throws -> Result
    ) throws -> Result {
        try withColumn(index) { bytes in
            let bytes = bytes ?? UnsafeBufferPointer(start: nil, count: 0)
            return try body(bytes.span)
        }
    }

    borrowing func withColumn<Result>(
        _ index: Int, _ body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) throws -> Result {
        try checkColumn(index)
        var text: UnsafePointer<CChar>?
        var count: Int32 = 0
        try check(api.pointee.xColumnText(context, Int32(index), &text, &count))
        guard let text else { return try body(nil) }
        // The text belongs to the statement by which the cursor of FTS5 reads its row. Only the next row steps that statement, and
        // no other search has it.
        return try body(UnsafeRawBufferPointer(start: text, count: Int(count)).assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the number that SQLite has written as text. Swift reads more: `nan`, and hexadecimal digits.
    private static func number(_ text: String) -> Double? {
        let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } || ["Inf", "-Inf"].contains(text)
        return isNumber ? Double(text) : nil
    }

    /// Returns a text as a value of the type in which a column stores it.
    private static func value(_ bytes: UnsafeBufferPointer<UInt8>, as type: Any.Type) -> Any? {
        if type == Data.self { return Data(bytes) }
        guard let text = String(checking: bytes) else { return nil }
        if type == Int64.self { return Int64(text) ?? number(text).flatMap { Int64(exactly: $0) } }
        if type == Double.self { return number(text) }
        return text
    }
}
