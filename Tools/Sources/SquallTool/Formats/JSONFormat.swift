import Foundation

/// An array of objects, one on each line.
///
/// Bytes that are not text are written as in sqlite-utils: `{"$base64": true, "encoded": "AQL/"}`. Infinity is `null`,
/// because JSON cannot express it.
struct JSONFormat: RowFormat {
    private let output: Output
    private var objects: JSONObjects
    private var isFirst = true

    init(columns: [String], output: Output) {
        output.escapeOnTerminal()
        self.output = output
        objects = JSONObjects(columns: columns)
    }

    mutating func write(_ row: [Cell]) throws {
        try output.write(objects.object(row, after: isFirst ? "[" : ",\n "))
        isFirst = false
    }

    func finish() throws {
        try output.write(isFirst ? "[]\n" : "]\n")
    }
}

/// Newline-delimited JSON: one object on each line, with nothing between them. Values are written as in ``JSONFormat``.
struct NDJSONFormat: RowFormat {
    private let output: Output
    private var objects: JSONObjects

    init(columns: [String], output: Output) {
        output.escapeOnTerminal()
        self.output = output
        objects = JSONObjects(columns: columns)
    }

    mutating func write(_ row: [Cell]) throws {
        try output.write(objects.object(row, before: "\n"))
    }

    func finish() {}
}

/// The objects of rows with the same columns.
private struct JSONObjects {
    /// The bytes before each value: its key and a colon.
    private let keys: [[UInt8]]
    /// The current object. Its memory is used for all of them.
    private var object: [UInt8] = []

    init(columns: [String]) {
        keys = Self.distinct(columns).map { name in
            var key: [UInt8] = []
            key.append(jsonString: name)
            return key + Array(": ".utf8)
        }
    }

    mutating func object(_ row: [Cell], after prefix: StaticString = "", before suffix: StaticString = "") -> [UInt8] {
        object.removeAll(keepingCapacity: true)
        object.append(contentsOf: "\(prefix){".utf8)
        for index in row.indices {
            if index > 0 { object.append(contentsOf: ", ".utf8) }
            object.append(contentsOf: keys[index])
            object.append(json: row[index])
        }
        object.append(contentsOf: "}\(suffix)".utf8)
        return object
    }

    /// Returns the names with repeated ones numbered: `a`, `a:1`. An object would lose one of two values with the same key.
    private static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names.map { ExactName($0) })
        var seen: Set<ExactName> = []
        return names.map { name in
            if seen.insert(ExactName(name)).inserted { return name }
            var number = 1
            while !taken.insert(ExactName("\(name):\(number)")).inserted { number += 1 }
            return "\(name):\(number)"
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(json cell: Cell) {
        switch cell {
        case .null: append(contentsOf: "null".utf8)
        case .integer(let value): append(decimal: value)
        case .real(let value): append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
        case .text(let value): append(jsonString: value)
        case .blob(let bytes), .malformedText(let bytes):
            append(contentsOf: #"{"$base64": true, "encoded": "\#(bytes.base64EncodedString())"}"#.utf8)
        }
    }

    fileprivate mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        let isSpecial = text.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        if isSpecial { append(escaped: text) } else { append(contentsOf: text.utf8) }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "\n"): append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): append(contentsOf: "\\t".utf8)
            case ..<0x20: append(contentsOf: String(format: "\\u%04x", byte).utf8)
            default: append(byte)
            }
        }
    }
}
