import Foundation

/// A reader of CSV (RFC 4180) and TSV.
///
/// Lines end with LF, CRLF or CR. A field that begins with a quote ends with the next quote that is not doubled; it may
/// contain delimiters and ends of lines. A quote inside any other field is an ordinary character. A blank line is skipped,
/// except in a file with one column, where it is an empty field. A byte order mark is skipped.
final class DelimitedReader: RecordReader {
    private(set) var columns: [String] = []
    private let input: InputBytes
    private let name: String
    private let delimiter: UInt8
    private var line = 1
    /// The number of bytes from the end of the last record to the next one.
    private var skipped = 0
    private(set) var delimiterHint: String?

    var position: Int { input.position }

    /// - Parameters:
    ///   - columns: The names of the columns, instead of those of the header.
    ///   - hasHeader: Whether the first record has the names.
    init(_ file: SourceFile, delimiter: UInt8, columns: [String]?, hasHeader: Bool) throws {
        self.input = try InputBytes(file)
        self.name = file.name
        self.delimiter = delimiter
        try skipByteOrderMark()
        self.columns = try hasHeader ? readHeader(columns) : try firstColumns(columns)
    }

    func next(_ record: inout Record) throws -> Bool {
        while try read(&record) {
            // A blank line has one empty field.
            if record.length == 0, columns.count != 1 { continue }
            if record.problem == nil, record.fields.count != columns.count {
                let count = record.fields.count
                record.problem = "\(count) \(count == 1 ? "field" : "fields") instead of \(columns.count)"
            }
            return true
        }
        return false
    }
}

// MARK: - The beginning of the file

extension DelimitedReader {
    private func skipByteOrderMark() throws {
        input.endRecord(after: try input.byteOrderMark())
    }

    /// Reads the header, and returns its names or those that replace them.
    private func readHeader(_ replacement: [String]?) throws -> [String] {
        var record = Record()
        repeat {
            guard try read(&record) else {
                if let replacement { return replacement }
                throw Failure(
                    "\(name): the file is empty", exitCode: .badInput,
                    hint: "its first line has the names of the columns")
            }
        } while record.length == 0
        suggestDelimiter(record)
        if let problem = record.problem {
            throw Failure("\(name), line \(record.line): \(problem)", exitCode: .badInput)
        }
        if let replacement {
            try checkCount(of: replacement, record)
            return replacement
        }
        return try record.fields.enumerated().map { index, field in
            guard let text = record.text(of: field) else {
                throw Failure(
                    "\(name), line \(record.line): the header is not valid UTF-8", exitCode: .badInput,
                    hint: TextEncoding.hint(record.bytes))
            }
            guard !text.utf8.contains(0) else {
                throw Failure(
                    "\(name), line \(record.line): a name in the header has a NUL character", exitCode: .badInput,
                    hint: "give all columns other names with --columns")
            }
            return text.isEmpty ? "column\(index + 1)" : text
        }
    }

    /// Returns the given names or `column1`, `column2`, … for the fields of the first record, which stays unread.
    private func firstColumns(_ columns: [String]?) throws -> [String] {
        if let columns { return columns }
        var record = Record()
        // Reading the first record does not end it before the next one is read.
        guard try read(&record) else {
            throw Failure("\(name): the file is empty", exitCode: .badInput)
        }
        skipped = 0
        line = record.line
        suggestDelimiter(record)
        return record.fields.indices.map { "column\($0 + 1)" }
    }

    private func checkCount(of columns: [String], _ record: Record) throws {
        guard columns.count != record.fields.count else { return }
        throw Failure(
            "\(name), line \(record.line): \(record.fields.count) columns in the header, and \(columns.count) in --columns",
            exitCode: .badInput, hint: delimiterHint
        )
    }

    /// Keeps a hint for a first line that is one field and has another delimiter in it.
    private func suggestDelimiter(_ record: borrowing Record) {
        guard record.fields.count == 1 else { return }
        let delimiters = [(";", "semicolon"), ("\t", "tab"), (",", "comma"), ("|", "bar")]
        let found = delimiters.compactMap { sign, name -> (sign: String, name: String, count: Int)? in
            let count = record.bytes.count { $0 == sign.utf8.first }
            return count > 0 && sign.utf8.first != delimiter ? (sign, name, count) : nil
        }
        guard let most = found.max(by: { $0.count < $1.count }) else { return }
        let option = most.sign == "\t" ? "tab" : "'\(most.sign)'"
        delimiterHint = "the first line has \(most.count.counted(most.name)) and one column: --delimiter \(option)"
    }
}

// MARK: - Records

extension DelimitedReader {
    /// Reads a record, whatever the number of its fields is.
    private func read(_ record: inout Record) throws -> Bool {
        input.endRecord(after: skipped)
        skipped = 0
        record.fields.removeAll(keepingCapacity: true)
        record.problem = nil
        record.line = line
        var bytes = input.record
        if bytes.isEmpty {
            guard try readMore(&bytes) else { return false }
        }
        var offset = 0
        while true {
            if offset == bytes.count { _ = try readMore(&bytes) }
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") {
                record.fields.append(try quotedField(&offset, &bytes, &record))
            } else {
                record.fields.append(try bareField(&offset, &bytes))
            }
            guard offset < bytes.count, bytes[offset] == delimiter else { break }
            offset += 1
        }
        record.length = offset
        try endLine(at: offset, &bytes)
        record.memory = bytes
        return true
    }

    /// Reads a field without quotes, up to the delimiter or the end of the line.
    @inline(__always)
    private func bareField(_ offset: inout Int, _ bytes: inout UnsafeBufferPointer<UInt8>) throws -> Field {
        let start = offset
        let delimiter = delimiter
        repeat {
            // Local variables, which stay in registers.
            let (memory, count) = (bytes, bytes.count)
            var end = offset
            while end < count {
                let byte = memory[end]
                if byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
                end += 1
            }
            offset = end
        } while try offset == bytes.count && readMore(&bytes)
        return Field(notation: .bare, start: start, count: offset - start)
    }

    /// Reads a field in quotes, up to the delimiter or the end of the line behind it.
    private func quotedField(
        _ offset: inout Int, _ bytes: inout UnsafeBufferPointer<UInt8>, _ record: inout Record
    ) throws -> Field {
        let firstLine = line
        let start = offset + 1
        offset = start
        var notation = Field.Notation.quoted
        while true {
            if offset == bytes.count {
                guard try readMore(&bytes) else { throw unterminatedQuote(firstLine) }
            }
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
            } else if byte == UInt8(ascii: "\"") {
                if offset == bytes.count { _ = try readMore(&bytes) }
                guard offset < bytes.count, bytes[offset] == byte else { break }
                notation = .doubledQuotes
                offset += 1
            }
        }
        let field = Field(notation: notation, start: start, count: offset - 1 - start)
        if try bareField(&offset, &bytes).count > 0, record.problem == nil {
            record.problem = "field \(record.fields.count + 1) has text after its closing quote"
        }
        return field
    }

    /// Counts the end of the line behind a record: LF, CRLF or CR.
    private func endLine(at offset: Int, _ bytes: inout UnsafeBufferPointer<UInt8>) throws {
        line += 1
        skipped = offset
        guard offset < bytes.count else { return }
        skipped += 1
        guard bytes[offset] == UInt8(ascii: "\r") else { return }
        if skipped == bytes.count { _ = try readMore(&bytes) }
        if skipped < bytes.count, bytes[skipped] == UInt8(ascii: "\n") { skipped += 1 }
    }

    /// Reads more of the file. The record may have moved, also at the end of the file.
    private func readMore(_ bytes: inout UnsafeBufferPointer<UInt8>) throws -> Bool {
        defer { bytes = input.record }
        return try input.readMore()
    }

    private func unterminatedQuote(_ line: Int) -> Failure {
        Failure("\(name), line \(line): a quote is opened and never closed", exitCode: .badInput)
    }
}
