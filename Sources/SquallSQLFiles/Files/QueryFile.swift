/// The queries of a file, and the functions and collations that it declares for all files.
struct QueryFile {
    /// A collation that the app registers, declared by `-- collation: german`.
    struct Collation: Hashable, Sendable {
        let name: String
        let location: SourceLocation
    }

    private(set) var queries: [QueryDeclaration] = []
    private(set) var functions: [FunctionDeclaration] = []
    private(set) var collations: [Collation] = []
    private(set) var diagnostics: [Diagnostic] = []

    private let source: SourceText
    /// The query that is being read; `nil` before the first name.
    private var draft: QueryDraft?
    private var hasReportedNamelessStatement = false

    /// Reads a file. A query begins with its name, and with the comments directly above the line of its name.
    init(_ source: SourceText) {
        self.source = source
        let file = FileParts(source)
        var pending: [Comment] = []
        for part in file.parts {
            switch part {
            case .comment(let comment):
                if CommentDeclaration.beginsQuery(comment) {
                    let above = linesAbove(comment, pending)
                    read(pending.dropLast(above.count))
                    beginQuery()
                    read([comment] + above)
                    pending = []
                } else {
                    pending.append(comment)
                }
            case .statement(let statement, let comments):
                read(pending)
                pending = []
                add(statement, comments)
            }
        }
        read(pending)
        endQuery()
        if let unclosed = file.unclosed { report(unclosed.message, at: source.location(at: unclosed.offset)) }
        diagnostics.sort { $0.location < $1.location }
    }

    private mutating func report(_ message: String, at location: SourceLocation) {
        diagnostics.append(Diagnostic(.error, message, at: location))
    }

    // MARK: Comments

    /// Returns the last of the comments that are in the lines directly above that of a name, without an empty line between.
    private func linesAbove(_ name: Comment, _ comments: [Comment]) -> ArraySlice<Comment> {
        var line = source.location(at: name.offset).line
        var count = 0
        for comment in comments.reversed() {
            guard comment.isOnOwnLine, source.location(at: comment.offset).line == line - 1 else { break }
            line -= 1
            count += 1
        }
        return comments.suffix(count)
    }

    /// Reads the comments above a statement, or at the end of a query.
    private mutating func read(_ comments: some Sequence<Comment>) {
        for comment in comments {
            if let declaration = CommentDeclaration(comment, in: source) {
                add(declaration, at: source.location(at: comment.offset))
            } else if draft?.statements.isEmpty == true {
                draft?.documentation.append(comment)
            }
        }
    }

    private mutating func add(_ declaration: CommentDeclaration, at location: SourceLocation) {
        switch declaration {
        case .function(let function): functions.append(function)
        case .collation(let name): collations.append(Collation(name: name, location: location))
        case .invalid(let message): report(message, at: location)
        case .name, .row, .noScan, .type:
            if draft == nil {
                report("the declaration belongs to no query: write -- name: cheapCars above it", at: location)
            } else if let message = draft?.add(declaration, at: location) {
                report(message, at: location)
            }
        }
    }

    // MARK: Statements

    /// Adds a statement to the query that is being read.
    ///
    /// - Parameter comments: The comments inside the statement, and after it in its last line.
    private mutating func add(_ statement: SourceText.Excerpt, _ comments: [Comment]) {
        if draft == nil, !hasReportedNamelessStatement {
            hasReportedNamelessStatement = true
            report(
                "the statement has no name: write -- name: cheapCars above it",
                at: source.location(at: statement.offset))
        }
        if let refused = RefusedStatement(statement) {
            report(refused.message, at: source.location(at: statement.offset + refused.offset))
        }
        draft?.statements.append(statement)
        for comment in comments {
            let location = source.location(at: comment.offset)
            if CommentDeclaration.beginsQuery(comment) {
                report(
                    "the name of a query has a line of its own; the type of a column is declared in quotes: "
                        + "-- \"name\": String", at: location)
            } else if let declaration = CommentDeclaration(comment, in: source), draft != nil || !declaration.isOfQuery
            {
                // Without a query, the missing name has been reported: one error is enough.
                add(declaration, at: location)
            }
        }
    }

    private mutating func beginQuery() {
        endQuery()
        draft = QueryDraft()
    }

    private mutating func endQuery() {
        guard let draft else { return }
        self.draft = nil
        // A name with a mistake has been reported.
        guard let (name, location) = draft.name else { return }
        guard !draft.statements.isEmpty else {
            return report("the query '\(name)' has no statement: write one below its name", at: location)
        }
        queries.append(draft.declaration(name, location, source))
    }
}

extension CommentDeclaration {
    /// Whether the declaration belongs to a query, and not to all files.
    fileprivate var isOfQuery: Bool {
        switch self {
        case .name, .row, .noScan, .type: true
        case .function, .collation, .invalid: false
        }
    }
}
