/// Finds the parameters in SQL text as SQLite's tokenizer does: outside quotes and comments.
struct ParameterScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the range of the next parameter, in bytes of UTF-8: `?`, `?1`, `:name`, `@name` or `$name`.
    mutating func next() -> Range<Int>? {
        while position < bytes.count {
            let start = position
            position += 1
            switch bytes[start] {
            // A doubled quote is read as the end of one literal and the start of another, with the same result.
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skip(past: bytes[start])
            case UInt8(ascii: "["): skip(past: UInt8(ascii: "]"))
            case UInt8(ascii: "-") where isNext(UInt8(ascii: "-")): skip(past: UInt8(ascii: "\n"))
            case UInt8(ascii: "/") where isNext(UInt8(ascii: "*")):
                position += 1
                skipBlockComment()
            case UInt8(ascii: "?"):
                while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
                return start..<position
            case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"):
                if skipName() { return start..<position }
            // A byte order mark is white space, so that a parameter may follow it.
            case 0xef where bytes[start...].starts(with: [0xef, 0xbb, 0xbf]): position += 2
            case let byte where byte.isOfWord: skipWord()
            default: break
            }
        }
        return nil
    }

    private func isNext(_ byte: UInt8) -> Bool {
        position < bytes.count && bytes[position] == byte
    }

    private mutating func skip(past end: UInt8) {
        position = bytes[position...].firstIndex(of: end).map { $0 + 1 } ?? bytes.count
    }

    private mutating func skipBlockComment() {
        repeat { skip(past: UInt8(ascii: "*")) } while position < bytes.count && !isNext(UInt8(ascii: "/"))
        position = min(position + 1, bytes.count)
    }

    /// Skips the name of a parameter, which may contain `::` and end with text in parentheses, as in Tcl: `$a::b(c)`.
    ///
    /// - Returns: Whether there is a name.
    private mutating func skipName() -> Bool {
        let start = position
        var hasName = false
        while true {
            let part = position
            skipWord()
            hasName = hasName || position > part
            guard bytes[position...].starts(with: [UInt8(ascii: ":"), UInt8(ascii: ":")]) else { break }
            position += 2
        }
        guard hasName else {
            position = start
            return false
        }
        if isNext(UInt8(ascii: "(")) { skipArgument() }
        return true
    }

    private mutating func skipArgument() {
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: ")") || $0 == 0x20 || (0x09...0x0d).contains($0) }
        guard let end = bytes[position...].firstIndex(where: isEnd), bytes[end] == UInt8(ascii: ")") else { return }
        position = end + 1
    }

    private mutating func skipWord() {
        while position < bytes.count, bytes[position].isOfWord { position += 1 }
    }
}

extension UInt8 {
    /// Whether SQLite treats the byte as a part of a word.
    package var isOfWord: Bool {
        switch self {
        case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "$"), 128...: true
        default: false
        }
    }
}
