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
                    apply(pending.dropLast(above.count))
                    beginQuery()
                    apply([comment] + above)
                    pending = []
                } else {
                    pending.append(comment)
                }
            case .statement(let statement, let comments):
                apply(pending)
                pending = []
                add(statement, comments)
            }
        }
        apply(pending)
        endQuery()
        if let unclosed = file.unclosed { report(unclosed.message, at: source.location(at: unclosed.offset)) }
        diagnostics.sort { $0.location < $1.location }
    }

    private mutating func report(_ message: String, at location: SourceLocation) {
        diagnostics.append(Diagnostic(.error, message, at: location))
    }

    // MARK: Comments

    /// Returns the comments in the lines directly above that of a name.
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
    private mutating func apply(_ comments: some Sequence<Comment>) {
        for comment in comments {
            if let declaration = CommentDeclaration(comment, in: source) {
                apply(declaration, at: source.location(at: comment.offset))
            } else if draft?.statements.isEmpty == true {
                draft?.documentation.append(comment)
            }
        }
    }

    private mutating func apply(_ declaration: CommentDeclaration, at location: SourceLocation) {
        switch declaration {
        case .function(let function): functions.append(function)
        case .collation(let name): collations.append(Collation(name: name, location: location))
        case .invalid(let message): report(message, at: location)
        case .name, .row, .noScan, .type:
            if draft == nil {
                report("the declaration belongs to no query: write -- name: cheapCars above it", at: location)
            } else if let message = draft?.apply(declaration, at: location) {
                report(message, at: location)
            }
        }
    }

    // MARK: Statements

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
                apply(declaration, at: location)
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
