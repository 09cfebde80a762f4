/// The comments and the statements of a file, in their order.
struct FileParts {
    /// A part of a file.
    enum Part {
        case comment(Comment)
        /// A statement with the comments inside it, and the one that follows it in its line.
        case statement(SourceStatement, comments: [Comment])
    }

    /// A quote or a comment that does not end.
    struct Unclosed {
        /// The offset at which it begins.
        let offset: Int
        let message: String
    }

    let parts: [Part]
    /// The quote or the comment that reaches from its beginning to the end of the file; `nil` if all are closed.
    let unclosed: Unclosed?

    /// Splits a file. A statement ends at a semicolon, or before a comment line with the name of the next query. A
    /// semicolon in the body of a trigger does not end a statement.
    ///
    /// - Parameter hasQueries: Whether the file has queries. In a schema file, no comment ends a statement.
    init(_ source: SourceText, hasQueries: Bool = true) {
        var splitter = PartSplitter(source.text, hasQueries: hasQueries)
        splitter.split()
        (parts, unclosed) = (splitter.parts, splitter.unclosed)
    }
}

/// Splits a file into comments and statements.
private struct PartSplitter {
    private(set) var parts: [FileParts.Part] = []
    private(set) var unclosed: FileParts.Unclosed?

    private let bytes: [UInt8]
    private let hasQueries: Bool
    private var lexer: Lexer
    private var readComments = 0
    private var tokenEnd = 0

    /// The statement that is being read.
    private var statement: Draft?

    private struct Draft {
        let start: Int
        var end: Int
        var comments: [Comment] = []
        /// The first keywords, by which a trigger is recognized.
        var keywords: [String] = []
        /// The last two tokens, the later first.
        var last = (Token?.none, Token?.none)

        mutating func add(_ token: Token) {
            end = token.range.upperBound
            if keywords.count < 6 { keywords.append(token.keyword) }
            last = (token, last.0)
        }

        /// Whether a semicolon ends the statement. That of a trigger ends after `; END`, as for `sqlite3_complete`.
        var endsAtSemicolon: Bool {
            guard isTrigger else { return true }
            return last.0?.is("END") == true && last.1?.is(";") == true
        }

        private var isTrigger: Bool {
            var words = keywords[...]
            if words.first == "EXPLAIN" { words.removeFirst() }
            if words.first == "QUERY" { words = words.dropFirst(2) }
            guard words.popFirst() == "CREATE" else { return false }
            if words.first == "TEMP" || words.first == "TEMPORARY" { words.removeFirst() }
            return words.first == "TRIGGER"
        }
    }

    init(_ text: String, hasQueries: Bool) {
        bytes = Array(text.utf8)
        self.hasQueries = hasQueries
        lexer = Lexer(text)
    }

    mutating func split() {
        while let token = lexer.next() {
            addComments()
            tokenEnd = token.range.upperBound
            if token.is(";"), statement?.endsAtSemicolon ?? true {
                endStatement()
                continue
            }
            var draft = statement ?? Draft(start: token.range.lowerBound, end: tokenEnd)
            draft.add(token)
            statement = draft
            if tokenEnd == bytes.count { checkEnd(of: token) }
        }
        addComments()
        endStatement()
    }

    private mutating func endStatement() {
        guard let draft = statement else { return }
        let text = String(decoding: bytes[draft.start..<draft.end], as: UTF8.self)
        parts.append(.statement(SourceStatement(text: text, offset: draft.start), comments: draft.comments))
        statement = nil
    }

    // MARK: Comments

    /// Adds the comments before the last token.
    private mutating func addComments() {
        while readComments < lexer.comments.count {
            let range = lexer.comments[readComments]
            readComments += 1
            if bytes[range.lowerBound] == UInt8(ascii: "-") {
                let isOnOwnLine = tokenEnd == 0 || bytes[tokenEnd..<range.lowerBound].contains(10)
                add(Comment(bytes, range, isOnOwnLine: isOnOwnLine))
            } else if range.count < 4 || bytes[range.upperBound - 2] != UInt8(ascii: "*")
                || bytes[range.upperBound - 1] != UInt8(ascii: "/")
            {
                unclosed = FileParts.Unclosed(
                    offset: range.lowerBound, message: "the comment is not closed: */ is missing")
            }
        }
    }

    private mutating func add(_ comment: Comment) {
        if hasQueries, comment.isOnOwnLine, CommentDeclaration.beginsQuery(comment) { endStatement() }
        if statement != nil {
            statement?.comments.append(comment)
        } else if !comment.isOnOwnLine, case .statement(let statement, let comments)? = parts.last {
            // A comment after the semicolon belongs to the statement before it.
            parts[parts.count - 1] = .statement(statement, comments: comments + [comment])
        } else {
            parts.append(.comment(comment))
        }
    }

    // MARK: Quotes

    /// Notes a quote that is not closed. It makes the rest of the file one token.
    private mutating func checkEnd(of token: Token) {
        let text = bytes[token.range]
        let start = token.kind == .blob ? text.startIndex + 1 : text.startIndex
        let quote = bytes[start]
        let isClosed: Bool
        switch token.kind {
        case .quotedName where quote == UInt8(ascii: "["): isClosed = text.last == UInt8(ascii: "]")
        case .text, .blob, .quotedName: isClosed = text.count { $0 == quote } % 2 == 0
        default: isClosed = true
        }
        if isClosed { return }
        let end = quote == UInt8(ascii: "[") ? "]" : String(decoding: [quote], as: UTF8.self)
        unclosed = FileParts.Unclosed(
            offset: token.range.lowerBound, message: "the quote is not closed: \(end) is missing")
    }
}
