import Foundation

/// A reader of JSON objects: an array of them, or one after another (NDJSON).
///
/// The columns are the keys, in the order in which they first appear. Keys that differ only in the case of ASCII letters are
/// one column, as in SQLite.
final class JSONReader: RecordReader {
    /// The arrangement of the objects in the file.
    enum Layout {
        case array, lines
    }

    private(set) var columns: [String] = []
    private var indexes: [Identifier: Int] = [:]
    /// The bytes of each column's key, as it was first written.
    private var keys: [[UInt8]] = []
    private let layout: Layout
    private let name: String
    private var scanner: JSONScanner
    private var isStarted = false
    private var isFinished = false

    var position: Int { scanner.input.position }

    init(_ file: SourceFile, layout: Layout) throws {
        self.layout = layout
        name = file.name
        scanner = JSONScanner(try InputBytes(file))
        try scanner.skipByteOrderMark()
    }

    func next(_ record: inout Record) throws -> Bool {
        record.fields.removeAll(keepingCapacity: true)
        record.fields.append(contentsOf: repeatElement(.missing, count: columns.count))
        record.problem = nil
        // A local variable: Swift checks every access to a property of a class, which took half of the time (2026-11-23).
        var scanner = scanner
        defer { self.scanner = scanner }
        do {
            guard try moveToElement(&scanner) else { return false }
            scanner.beginRecord()
            record.line = scanner.line
            try readElement(&record, &scanner)
        } catch let error as JSONScanner.SyntaxError {
            guard layout == .lines, isStarted else {
                throw Failure("\(name), line \(scanner.line): \(error.message)", exitCode: .badInput, hint: hint)
            }
            record.problem = error.message
            try scanner.skipLine(record.line)
        }
        record.length = scanner.offset
        record.memory = scanner.input.record
        return true
    }

    /// The advice for an array in a file of lines, and the reverse.
    private var hint: String? {
        guard !isStarted else { return nil }
        return layout == .array
            ? "for one object on each line use --format ndjson" : "for an array of objects use --format json"
    }

    /// Moves to the next element.
    ///
    /// - Returns: `false` after the last one.
    private func moveToElement(_ scanner: inout JSONScanner) throws -> Bool {
        guard !isFinished else { return false }
        switch layout {
        case .lines:
            let first = try scanner.skipSpaces()
            if !isStarted, first == UInt8(ascii: "[") { throw JSONScanner.SyntaxError("an array instead of an object") }
            isStarted = true
            isFinished = first == nil
        case .array where !isStarted:
            guard try scanner.skipSpaces() != nil else { throw JSONScanner.SyntaxError("the file is empty") }
            try scanner.expect("[", "an array of objects")
            isStarted = true
            isFinished = try scanner.skipSpaces() == UInt8(ascii: "]")
            if isFinished { try finishArray(&scanner) }
        case .array:
            isFinished = try scanner.skipSpaces() == UInt8(ascii: "]")
            if isFinished { try finishArray(&scanner) } else { try scanner.expect(",", "a comma or ']'") }
            _ = try scanner.skipSpaces()
        }
        return !isFinished
    }

    private func finishArray(_ scanner: inout JSONScanner) throws {
        try scanner.expect("]", "']'")
        if try scanner.skipSpaces() != nil { throw JSONScanner.SyntaxError("there is more after the array") }
    }

    private func readElement(_ record: inout Record, _ scanner: inout JSONScanner) throws {
        guard try scanner.peek() == UInt8(ascii: "{") else {
            let value = try scanner.value()
            record.problem = "\(value.notation.name) instead of an object"
            return
        }
        try scanner.expect("{", "an object")
        guard try scanner.skipSpaces() != UInt8(ascii: "}") else { return try scanner.expect("}", "'}'") }
        var expected = 0
        while true {
            let key = try scanner.key()
            let column = try column(of: key, expected: expected, scanner)
            expected = column + 1
            _ = try scanner.skipSpaces()
            try scanner.expect(":", "':'")
            _ = try scanner.skipSpaces()
            let value = try scanner.value()
            if column == record.fields.count { record.fields.append(.missing) }
            if record.fields[column].notation != .missing, record.problem == nil {
                record.problem = "the key '\(columns[column])' is there twice"
            }
            record.fields[column] = value
            if try scanner.skipSpaces() == UInt8(ascii: "}") { break }
            try scanner.expect(",", "a comma or '}'")
            _ = try scanner.skipSpaces()
        }
        try scanner.expect("}", "'}'")
    }

    /// Returns the column of a key. A new one is added.
    ///
    /// - Parameter expected: The column that follows that of the key before, which it mostly is.
    private func column(of key: Field, expected: Int, _ scanner: JSONScanner) throws -> Int {
        let bytes = scanner.bytes(of: key)
        if key.notation == .string, expected < keys.count, bytes.isEqual(to: keys[expected]) { return expected }
        let record = Record(memory: scanner.input.record)
        guard let text = record.text(of: key) else {
            throw JSONScanner.SyntaxError("a key is not valid UTF-8, or has half of a pair of surrogates")
        }
        guard !text.utf8.contains(0) else { throw JSONScanner.SyntaxError("a key has a NUL character") }
        let name = Identifier(text)
        if let index = indexes[name] { return index }
        indexes[name] = columns.count
        columns.append(text)
        keys.append(Array(text.utf8))
        return columns.count - 1
    }
}

extension Field.Notation {
    /// The name of a JSON value for messages.
    fileprivate var name: String {
        switch self {
        case .number: "a number"
        case .nested: "an array"
        case .null: "null"
        case .yes: "true"
        case .no: "false"
        default: "a string"
        }
    }
}
