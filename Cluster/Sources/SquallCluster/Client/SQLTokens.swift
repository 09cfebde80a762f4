/// The tokens of SQL, without white space and comments, as far as ``StatementFacts`` tells them apart.
struct SQLTokens: IteratorProtocol {
    enum Token: Equatable {
        /// A keyword, a name without quotes or a number, in capitals.
        case word(String)
        /// A quoted name or a string, in capitals.
        case quoted(String)
        case other(UInt8)
    }

    /// SQLite treats it as white space where a token may begin.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    private let bytes: [UInt8]
    private var index = 0

    init(_ sql: String) {
        bytes = Array(sql.utf8)
    }

    mutating func next() -> Token? {
        skipSpace()
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return .quoted(quoted(to: byte))
        case UInt8(ascii: "["): return .quoted(quoted(to: UInt8(ascii: "]")))
        case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "#"):
            skipVariable()
            return .other(byte)
        case _ where Self.isWord(byte): return .word(word())
        default:
            index += 1
            return .other(byte)
        }
    }

    private mutating func word() -> String {
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        return Self.capitals(bytes[start..<index])
    }

    /// Reads to the end of a quoted token. Two quotes inside it are two tokens, which changes nothing here.
    private mutating func quoted(to quote: UInt8) -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != quote { index += 1 }
        defer { index += 1 }
        return Self.capitals(bytes[min(start, index)..<index])
    }

    /// Skips `$name`, which may contain `::` and end with any text in parentheses, as in Tcl: also `$a(';)`.
    private mutating func skipVariable() {
        let start = index
        index += 1
        while index < bytes.count {
            if Self.isWord(bytes[index]) {
                index += 1
            } else if bytes[index...].starts(with: "::".utf8) {
                index += 2
            } else {
                break
            }
        }
        guard index > start + 1, index < bytes.count, bytes[index] == UInt8(ascii: "(") else { return }
        while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: ")") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: ")") { index += 1 }
    }

    private static func capitals(_ bytes: some Sequence<UInt8>) -> String {
        let capitals = bytes.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 & 0xdf : $0 }
        return String(decoding: capitals, as: UTF8.self)
    }

    /// Returns the first word of SQL in capitals; an empty text if the SQL begins otherwise.
    static func firstWord(of sql: String) -> String {
        let text = sql.utf8.drop { $0 <= 0x20 }
        return capitals(text.prefix(while: isWord))
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            if bytes[index] <= 0x20 {
                index += 1
            } else if bytes[index...].starts(with: Self.byteOrderMark) {
                index += 3
            } else if bytes[index...].starts(with: "--".utf8) {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if bytes[index...].starts(with: "/*".utf8) {
                index += 2
                while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
                index += 2
            } else {
                return
            }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
