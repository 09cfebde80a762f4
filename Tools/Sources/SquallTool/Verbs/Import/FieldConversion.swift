import Foundation
import Squall

/// The reason why a record is not imported.
struct BadRecord: Error {
    let reason: String
    var hint: String?
    /// Whether SQLite has rolled the whole import back because of the record.
    var endsImport = false
}

/// The reason why a field cannot become a value of its column.
enum FieldProblem: Error {
    case notUTF8
    /// A JSON string with half of a pair of surrogates: `"\ud83d"`.
    case halfSurrogate
    /// The text of the field, and what the type requires.
    case mismatch(String, expected: String)

    /// Returns the reason for a record with that field.
    func badRecord(column: String) -> BadRecord {
        switch self {
        case .notUTF8:
            BadRecord(
                reason: "column '\(column)' is not valid UTF-8",
                hint: TextEncoding.hint([])
            )
        case .halfSurrogate:
            BadRecord(
                reason:
                    "column '\(column)' has half of a pair of surrogates, such as \\ud83d, which is not a character",
                hint: "write both halves, or \\ufffd in place of the one"
            )
        case .mismatch(let text, let expectation):
            BadRecord(reason: "'\(text)' is not \(expectation), which column '\(column)' requires")
        }
    }
}

/// The conversion of the fields of a file to values.
struct FieldConversion {
    /// The text that is NULL, in CSV and TSV.
    let null: [UInt8]?

    /// Returns the value of a field for a column of a type.
    ///
    /// - Throws: ``FieldProblem`` if the type does not allow the field.
    func value(
        of field: Field, in record: borrowing Record, as type: ColumnType
    ) throws(FieldProblem) -> BindingValue {
        switch field.notation {
        case .missing, .null: return .null
        case .yes, .no:
            if type == .text { return .text(field.notation == .yes ? "true" : "false") }
            return .integer(field.notation == .yes ? 1 : 0)
        case .number: return try number(field, record, type)
        case .nested:
            if let blob = record.encodedBlob(of: field) { return .blob(blob) }
            if type == .integer || type == .real { throw mismatch(field, record, type) }
            return try text(field, record)
        case .string, .escapedString:
            return try type == .any ? text(field, record) : converted(field, record, type)
        case .bare, .quoted, .doubledQuotes:
            if field.count == 0, field.notation == .bare { return .null }
            if let null, record.bytes(of: field).isEqual(to: null) { return .null }
            return try converted(field, record, type)
        }
    }

    /// Converts text by the type of the column.
    private func converted(
        _ field: Field, _ record: borrowing Record, _ type: ColumnType
    ) throws(FieldProblem) -> BindingValue {
        if field.count == 0 { return type.isNumeric ? .null : .text("") }
        let bytes = record.bytes(of: field)
        switch type {
        case .text: break
        case .integer:
            guard let number = Number(lenient: bytes), let value = number.wholeValue(of: bytes) else {
                throw mismatch(field, record, type)
            }
            return .integer(value)
        case .real:
            guard let number = Number(lenient: bytes) else { throw mismatch(field, record, type) }
            return .real(number.realValue)
        case .numeric, .any:
            if let number = Number(plain: bytes) { return number.bindingValue }
            if type == .any, let blob = Data(blobLiteral: bytes) { return .blob(blob) }
        case .blob:
            if let blob = Data(blobLiteral: bytes) { return .blob(blob) }
        }
        return try text(field, record)
    }

    private func number(_ field: Field, _ record: borrowing Record, _ type: ColumnType) throws(FieldProblem)
        -> BindingValue
    {
        // Its notation in the file: 1.50.
        if type == .text { return try text(field, record) }
        let bytes = record.bytes(of: field)
        switch (type, Number(json: bytes)) {
        case (.integer, let number):
            guard let value = number?.wholeValue(of: bytes) else { throw mismatch(field, record, type) }
            return .integer(value)
        case (.real, _): return try converted(field, record, type)
        case (_, let number?): return number.bindingValue
        case (_, nil): return try text(field, record)
        }
    }

    private func text(_ field: Field, _ record: borrowing Record) throws(FieldProblem) -> BindingValue {
        guard let text = record.text(of: field) else {
            throw String(checking: record.bytes(of: field)) == nil ? .notUTF8 : .halfSurrogate
        }
        return .text(text)
    }

    private func mismatch(_ field: Field, _ record: borrowing Record, _ type: ColumnType) -> FieldProblem {
        let text = record.text(of: field) ?? String(decoding: record.bytes(of: field), as: UTF8.self)
        let shown = text.count > 40 ? text.prefix(40) + "…" : text
        return .mismatch(shown, expected: type == .integer ? "a whole number of 64 bits" : "a number")
    }
}

extension Number {
    /// Returns the number that was read from a text, if it is whole.
    fileprivate func wholeValue(of text: UnsafeBufferPointer<UInt8>) -> Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value), .infinity(let value):
            // Beyond 2⁵³ a `Double` has lost digits of the text.
            value.magnitude <= 0x1p53 && !Self.losesDigits(text) ? Int64(exactly: value) : nil
        }
    }

    fileprivate var realValue: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value), .infinity(let value): value
        }
    }

    fileprivate var bindingValue: BindingValue {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value), .infinity(let value): .real(value)
        }
    }
}

extension Data {
    /// Reads the bytes of an SQL literal: `x'0102ff'`.
    fileprivate init?(blobLiteral bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= 3, !bytes.count.isMultiple(of: 2), bytes[0] | 0x20 == UInt8(ascii: "x"),
            bytes[1] == UInt8(ascii: "'"), bytes.last == UInt8(ascii: "'")
        else { return nil }
        self.init(capacity: bytes.count / 2)
        for index in stride(from: 2, to: bytes.count - 1, by: 2) {
            guard let high = Record.hexadecimalDigit(bytes[index]), let low = Record.hexadecimalDigit(bytes[index + 1])
            else { return nil }
            append(high << 4 | low)
        }
    }
}
