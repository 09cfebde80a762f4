/// The comments and the statements of a file, in their order.
struct FileParts {
    /// A part of a file.
    enum Part {
        case comment(Comment)
        /// A statement with the comments inside it, and one that follows it in its line.
        case statement(SourceStatement, comments: [Comment])
    }

    let parts: [Part]

    init(_ source: SourceText) {
        var scanner = PartScanner(Array(source.text.utf8))
        parts = scanner.parts()
    }
}

/// Splits a file into comments and statements.
private struct PartScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var found: [FileParts.Part] = []
    // The statement that is being read.
    private var start: Int?
    private var end = 0
    private var comments: [Comment] = []
    private var words: [String] = []
    private var lastToken = Landmark.other
    /// The token before the last one.
    private var earlierToken = Landmark.other

    /// The tokens at which a trigger ends: `; END ;`.
    private enum Landmark {
        case semicolon, end, other
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parts() -> [FileParts.Part] {
        while position < bytes.count { scan() }
        endStatement()
        return found
    }

    private func byte(_ distance: Int) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func scan() {
        let begin = position
        switch bytes[position] {
        case 9, 10, 12, 13, 32:
            position += 1
            return
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"): return readComment()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): return skipBlock()
        case UInt8(ascii: ";"):
            position += 1
            if !isTrigger || lastToken == .end && earlierToken == .semicolon { return endStatement() }
            pass(.semicolon)
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            skipQuoted(bytes[position])
            pass(.other)
        case UInt8(ascii: "["):
            skipQuoted(UInt8(ascii: "]"))
            pass(.other)
        case let first where first.isOfWord:
            while position < bytes.count, bytes[position].isOfWord { position += 1 }
            note(String(decoding: bytes[begin..<position], as: UTF8.self).asciiUppercased)
        default:
            position += 1
            pass(.other)
        }
        if start == nil { start = begin }
        end = position
    }

    private mutating func note(_ word: String) {
        if words.count < 3 { words.append(word) }
        pass(word == "END" ? .end : .other)
    }

    private mutating func pass(_ token: Landmark) {
        (earlierToken, lastToken) = (lastToken, token)
    }

    /// Whether the statement creates a trigger. In its body, semicolons end no statement.
    private var isTrigger: Bool {
        guard words.first == "CREATE" else { return false }
        let next = words.dropFirst().first { $0 != "TEMP" && $0 != "TEMPORARY" }
        return next == "TRIGGER"
    }

    private mutating func skipQuoted(_ end: UInt8) {
        position += 1
        while position < bytes.count, bytes[position] != end { position += 1 }
        position = min(position + 1, bytes.count)
    }

    private mutating func skipBlock() {
        position += 2
        while position < bytes.count, byte(0) != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") { position += 1 }
        position = min(position + 2, bytes.count)
    }

    private mutating func readComment() {
        let isOnOwnLine =
            bytes[..<position].reversed().first { ![9, 12, 13, 32].contains($0) }.map { $0 == 10 } ?? true
        position += 2
        let start = position
        while position < bytes.count, bytes[position] != 10 { position += 1 }
        var range = start..<position
        while let first = range.first, [9, 13, 32].contains(bytes[first]) { range.removeFirst() }
        while let last = range.last, [9, 13, 32].contains(bytes[last]) { range.removeLast() }
        let text = String(decoding: bytes[range], as: UTF8.self)
        let comment = Comment(text: text, offset: range.lowerBound, isOnOwnLine: isOnOwnLine)
        if self.start != nil {
            comments.append(comment)
        } else if !isOnOwnLine, case .statement(let statement, let comments)? = found.last {
            // A comment after the semicolon belongs to the statement before it.
            found[found.count - 1] = .statement(statement, comments: comments + [comment])
        } else {
            found.append(.comment(comment))
        }
    }

    private mutating func endStatement() {
        if let start {
            let text = String(decoding: bytes[start..<end], as: UTF8.self)
            found.append(.statement(SourceStatement(text: text, offset: start), comments: comments))
        }
        (start, comments, words) = (nil, [], [])
        (earlierToken, lastToken) = (.other, .other)
    }
}
