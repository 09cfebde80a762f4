import Foundation

/// An array of objects, one on each line.
///
/// Bytes that are not text are written as in sqlite-utils: `{"$base64": true, "encoded": "AQL/"}`. Infinity is `null`,
/// because JSON cannot express it.
struct JSONFormat: RowFormat {
    private let output: Output
    /// The prefix of each value: its key and a colon.
    private let keys: [String]
    private var isFirst = true

    init(columns: [String], output: Output) {
        self.output = output
        self.keys = Self.distinct(columns).map { Self.quoted($0) + ": " }
    }

    mutating func write(_ row: [Cell]) throws {
        let members = zip(keys, row).map { $0 + Self.value($1) }
        try output.write((isFirst ? "[{" : ",\n {") + members.joined(separator: ", ") + "}")
        isFirst = false
    }

    func finish() throws {
        try output.write(isFirst ? "[]\n" : "]\n")
    }

    /// Returns the names with repeated ones numbered: `a`, `a:1`. An object would lose one of two values with the same key.
    private static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names)
        var seen: Set<String> = []
        return names.map { name in
            if seen.insert(name).inserted { return name }
            var number = 1
            while !taken.insert("\(name):\(number)").inserted { number += 1 }
            return "\(name):\(number)"
        }
    }

    private static func value(_ cell: Cell) -> String {
        switch cell {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value): value.isFinite ? "\(value)" : "null"
        case .text(let value): quoted(value)
        case .blob(let bytes), .malformedText(let bytes):
            #"{"$base64": true, "encoded": "\#(bytes.base64EncodedString())"}"#
        }
    }

    private static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case ..<" ": literal += String(format: "\\u%04x", scalar.value)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
