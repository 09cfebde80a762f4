/// The queries of a file, and what it declares for all files.
struct QueryFile {
    private(set) var queries: [QueryDeclaration] = []
    private(set) var functions: [FunctionDeclaration] = []
    private(set) var collations: [String] = []
    private(set) var diagnostics: [Diagnostic] = []

    private let source: SourceText
    private var draft = Draft()

    /// The query that is being read.
    private struct Draft {
        var name: (String, Cardinality?, SourceLocation)?
        var row: String?
        var noScan: SourceLocation?
        var documentation: [String] = []
        var types: [Name: TypeDeclaration] = [:]
        var statements: [SourceStatement] = []
    }

    init(_ source: SourceText) {
        self.source = source
        // The comments since the last statement: of the next query if one of them is its name, otherwise of this one.
        var pending: [Comment] = []
        for part in FileParts(source).parts {
            switch part {
            case .comment(let comment): pending.append(comment)
            case .statement(let statement, let comments):
                read(pending)
                pending = []
                add(statement, comments)
            }
        }
        read(pending)
        endQuery()
    }

    private mutating func report(_ message: String, at location: SourceLocation) {
        diagnostics.append(Diagnostic(.error, message, at: location))
    }

    // MARK: Comments

    private mutating func read(_ comments: [Comment]) {
        let declarations = comments.map { ($0, CommentDeclaration($0, in: source)) }
        let beginsQuery = declarations.contains { if case .name? = $0.1 { true } else { false } }
        if beginsQuery, !draft.statements.isEmpty { endQuery() }
        for (comment, declaration) in declarations {
            if case .name? = declaration, draft.name != nil { endQuery() }
            if let declaration {
                apply(declaration, at: source.location(at: comment.offset))
            } else if draft.statements.isEmpty {
                draft.documentation.append(comment.text)
            }
        }
    }

    private mutating func apply(_ declaration: CommentDeclaration, at location: SourceLocation) {
        switch declaration {
        case .name(let name, let cardinality):
            if let (other, _, _) = draft.name { report("the query has a name already: \(other)", at: location) }
            draft.name = (name, cardinality, location)
        case .row(let row): draft.row = row
        case .noScan: draft.noScan = location
        case .function(let function): functions.append(function)
        case .collation(let name): collations.append(name)
        case .type(let table, let key, let type):
            let name = Name(table.map { "\($0).\(key)" } ?? key)
            if draft.types.updateValue(type, forKey: name) != nil { report("\(name) is declared twice", at: location) }
        case .invalid(let message): report(message, at: location)
        }
    }

    // MARK: Statements

    private mutating func add(_ statement: SourceStatement, _ comments: [Comment]) {
        let location = source.location(at: statement.offset)
        if draft.name == nil, draft.statements.isEmpty {
            report("a query begins with its name: -- name: cheapCars", at: location)
        }
        if let reason = Self.refusal(of: statement) { report(reason, at: location) }
        draft.statements.append(statement)
        for comment in comments {
            guard let declaration = CommentDeclaration(comment, in: source) else { continue }
            apply(declaration, at: source.location(at: comment.offset))
        }
    }

    /// The reason why a statement cannot be in a query.
    private static func refusal(of statement: SourceStatement) -> String? {
        var lexer = Lexer(statement.text)
        let first = lexer.next()?.keyword ?? ""
        switch first {
        case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
            return "\(first) does not belong in a query: several statements of one query run in a transaction"
        case "ATTACH", "DETACH", "VACUUM": return "\(first) does not belong in a query"
        case "PRAGMA":
            while let token = lexer.next() {
                if token.is("=") || token.is("(") && !statement.text.asciiUppercased.contains("_INFO") {
                    return "a PRAGMA with a value does not belong in a query"
                }
            }
            return nil
        default: return nil
        }
    }

    private mutating func endQuery() {
        defer { draft = Draft() }
        guard let (name, cardinality, location) = draft.name else {
            if !draft.types.isEmpty, draft.statements.isEmpty, let first = draft.types.values.map(\.location).min() {
                report("the declaration belongs to no query", at: first)
            }
            return
        }
        guard !draft.statements.isEmpty else { return report("\(name) has no statement", at: location) }
        queries.append(
            QueryDeclaration(
                name: name, location: location, cardinality: cardinality, row: draft.row,
                documentation: Self.trimmed(draft.documentation), types: draft.types, noScan: draft.noScan,
                statements: draft.statements, source: source))
    }

    /// Lines without empty ones at the ends.
    private static func trimmed(_ lines: [String]) -> [String] {
        var lines = lines[...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines)
    }
}
