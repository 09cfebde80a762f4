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
    /// The number of BEGIN and CASE without their END, in a trigger.
    private var depth = 0

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
        case UInt8(ascii: ";") where depth == 0:
            position += 1
            return endStatement()
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skipQuoted(bytes[position])
        case UInt8(ascii: "["): skipQuoted(UInt8(ascii: "]"))
        case let first where first.isOfWord:
            while position < bytes.count, bytes[position].isOfWord { position += 1 }
            note(String(decoding: bytes[begin..<position], as: UTF8.self).asciiUppercased)
        default: position += 1
        }
        if start == nil { start = begin }
        end = position
    }

    /// Notes a word of the statement: in the body of a trigger, semicolons end no statement.
    private mutating func note(_ word: String) {
        if words.count < 4 { words.append(word) }
        guard words.first == "CREATE", words.contains("TRIGGER") else { return }
        if word == "BEGIN" || word == "CASE" { depth += 1 }
        if word == "END" { depth = max(0, depth - 1) }
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
        (start, comments, words, depth) = (nil, [], [], 0)
    }
}
