import Foundation

/// A record of an input file: its fields, which refer to the bytes of the file.
struct Record {
    /// The line on which the record begins, from 1.
    var line = 0
    /// The memory that begins with the record. It is valid until the next record is read.
    var memory = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The number of bytes of the record, without the end of its line.
    var length = 0
    /// The fields, in the order of the reader's columns.
    var fields: [Field] = []
    /// The reason why the record is malformed. Its fields are then not complete.
    var problem: String?

    /// The record as it is in the file.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: memory[..<min(length, memory.count)]) }

    /// The bytes of a field, still with its escapes.
    func bytes(of field: Field) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: memory[field.start..<field.start + field.count])
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are the same. `elementsEqual` compares them one after another.
    func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress else { return true }
        return memcmp(baseAddress, other, count) == 0
    }
}

/// A field of a record.
struct Field {
    /// The notation of a field, which tells how its bytes become a value.
    enum Notation: UInt8 {
        /// The record does not have the field.
        case missing
        /// A field of CSV without quotes.
        case bare
        /// A field of CSV in quotes, without doubled quotes in it.
        case quoted
        /// A field of CSV in quotes, with doubled quotes.
        case doubledQuotes
        /// A JSON string without escapes.
        case string
        /// A JSON string with escapes.
        case escapedString
        /// A JSON number.
        case number
        /// A JSON array or object.
        case nested
        case null, yes, no
    }

    var notation: Notation
    /// The offset from the beginning of the record.
    var start = 0
    /// The number of bytes, without quotes around them.
    var count = 0

    static let missing = Field(notation: .missing)
}

/// A reader of a file, record by record.
protocol RecordReader: AnyObject {
    /// The names of the columns: those of the header, or the keys so far.
    var columns: [String] { get }

    /// The number of bytes of the file that have been read.
    var position: Int { get }

    /// The advice for a file whose first line has one field, and looks as if another delimiter were in it.
    var delimiterHint: String? { get }

    /// Reads the next record.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: ``Failure`` if reading fails, or if no further record can be found.
    func next(_ record: inout Record) throws -> Bool
}

extension RecordReader {
    var delimiterHint: String? { nil }
}
