import Foundation

/// The SQL of one of SQLite's own test scripts, which are written in Tcl.
struct TestScript {
    let name: String
    /// The scripts that run on the main database, in their order.
    let blocks: [String]

    private static let commands = ["do_execsql_test", "do_catchsql_test", "execsql", "catchsql", "db eval"]

    init(contentsOf url: URL) throws {
        name = url.lastPathComponent
        // A few scripts are not UTF-8.
        blocks = Self.blocks(in: Array(try Data(contentsOf: url)))
    }

    /// Returns the texts in braces after the commands that run SQL. Tcl replaces nothing in braces.
    static func blocks(in bytes: [UInt8]) -> [String] {
        var found: [String] = []
        var index = 0
        while index < bytes.count {
            guard let command = commands.first(where: { bytes[index...].starts(with: $0.utf8) }) else {
                index += 1
                continue
            }
            index += command.utf8.count
            // The name of the test is a word.
            if command.hasPrefix("do_") {
                index = skip(bytes, from: index) { isSpace($0) }
                index = skip(bytes, from: index) { !isSpace($0) && $0 != UInt8(ascii: "{") }
            }
            index = skip(bytes, from: index) { isSpace($0) || $0 == UInt8(ascii: "\\") }
            guard index < bytes.count, bytes[index] == UInt8(ascii: "{"), let end = closingBrace(bytes, from: index)
            else { continue }
            found.append(String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
            index = end + 1
        }
        return found
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func skip(_ bytes: [UInt8], from start: Int, while condition: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, condition(bytes[index]) { index += 1 }
        return index
    }

    private static func closingBrace(_ bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }
}
