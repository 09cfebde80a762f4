import Squall

/// The key of a declaration in a comment, which a colon follows.
enum CommentKey: Hashable, Sendable {
    /// `limit`.
    case word(String)
    /// `"owner.name"`, without the quotes.
    case quoted(String)
    /// `:limit`, without the prefix.
    case parameter(String)
    /// `orders.placed`.
    case column(table: String, String)

    /// Splits the text of a comment at the colon directly after its key; `nil` for a text without a key.
    static func split(_ text: String) -> (key: CommentKey, value: String)? {
        var reader = KeyReader(bytes: Array(text.utf8))
        guard let key = reader.key(), reader.skip(UInt8(ascii: ":")) else { return nil }
        return (key, reader.rest.trimmed)
    }
}

private struct KeyReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func key() -> CommentKey? {
        if skip(UInt8(ascii: ":")) || skip(UInt8(ascii: "@")) || skip(UInt8(ascii: "$")) {
            return word().map { .parameter($0) }
        }
        let isQuoted = bytes.first == UInt8(ascii: "\"")
        guard let first = name() else { return nil }
        if skip(UInt8(ascii: ".")) { return name().map { .column(table: first, $0) } }
        return isQuoted ? .quoted(first) : .word(first)
    }

    private mutating func name() -> String? { skip(UInt8(ascii: "\"")) ? quoted() : word() }

    private mutating func word() -> String? {
        let start = position
        while position < bytes.count, bytes[position].isOfWord { position += 1 }
        return position == start ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a name to its closing quote. A doubled quote is part of the name.
    private mutating func quoted() -> String? {
        let quote = UInt8(ascii: "\"")
        var name: [UInt8] = []
        while position < bytes.count {
            let next = bytes[position]
            position += 1
            if next == quote, !skip(quote) { return name.isEmpty ? nil : String(decoding: name, as: UTF8.self) }
            name.append(next)
        }
        return nil
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        // By scalars: a space and a combining mark are one character.
        var scalars = String(self).unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}
