import Squall

/// The comments and the statements of a file, in their order.
struct FileParts {
    /// A part of a file.
    enum Part {
        case comment(Comment)
        /// A statement with the comments inside it, and the one that follows it in its line.
        case statement(SourceText.Excerpt, comments: [Comment])
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
    private let text: String
    private var tokenEnd = 0
    private var end = StatementEnd()

    /// The statement that is being read.
    private var statement: Draft?

    private struct Draft {
        let start: Int
        var end: Int
        var comments: [Comment] = []
    }

    init(_ text: String, hasQueries: Bool) {
        bytes = Array(text.utf8)
        self.text = text
        self.hasQueries = hasQueries
    }

    mutating func split() {
        for token in SQLTokenizer(text) where token.kind != .space {
            if !token.isTerminated { noteMissingEnd(of: token) }
            if token.kind == .comment {
                add(token)
                continue
            }
            tokenEnd = token.range.upperBound
            if end.add(token) {
                endStatement()
            } else if statement == nil {
                statement = Draft(start: token.range.lowerBound, end: tokenEnd)
            } else {
                statement?.end = tokenEnd
            }
        }
        endStatement()
    }

    private mutating func endStatement() {
        end = StatementEnd()
        guard let draft = statement else { return }
        let text = String(decoding: bytes[draft.start..<draft.end], as: UTF8.self)
        parts.append(.statement(SourceText.Excerpt(text: text, offset: draft.start), comments: draft.comments))
        statement = nil
    }

    // MARK: Comments

    /// Adds a comment. One in `/*` and `*/` declares nothing.
    private mutating func add(_ comment: Token) {
        guard bytes[comment.range.lowerBound] == UInt8(ascii: "-") else { return }
        let isOnOwnLine = tokenEnd == 0 || bytes[tokenEnd..<comment.range.lowerBound].contains(10)
        add(Comment(bytes, comment.range, isOnOwnLine: isOnOwnLine))
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

    /// Notes a quote or a comment that is not closed. It makes the rest of the file one token.
    private mutating func noteMissingEnd(of token: Token) {
        let message =
            switch (token.kind, bytes[token.range.lowerBound]) {
            case (.comment, _): "the comment is not closed: */ is missing"
            case (.name, UInt8(ascii: "[")): "the quote is not closed: ] is missing"
            case (.name, let quote): "the quote is not closed: \(Character(Unicode.Scalar(quote))) is missing"
            default: "the quote is not closed: ' is missing"
            }
        unclosed = FileParts.Unclosed(offset: token.range.lowerBound, message: message)
    }
}
