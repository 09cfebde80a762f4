import Squall

/// A file of a schema's history, split into statements, with the declarations of its comments.
struct SchemaFile {
    /// A statement, with the declarations inside it and directly above it.
    struct Statement {
        let source: SourceText.Excerpt
        let comments: [SchemaComment]
        /// Whether the statement is an ALTER TABLE that may rename a column.
        let renames: Bool
    }

    let version: SchemaChangeLog.Version
    let source: SourceText
    private(set) var statements: [Statement] = []
    /// The declarations after the last statement.
    private(set) var lastComments: [SchemaComment] = []
    private(set) var functions: [FunctionDeclaration] = []
    private(set) var collations: [String] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// Whether the file contains DROP TABLE, which runs with foreign keys off.
    private(set) var dropsTable = false

    init(_ version: Int, _ source: SourceText) {
        self.version = .init(number: version, file: source.path.lastComponent)
        self.source = source
        var above: [SchemaComment] = []
        let file = FileParts(source, hasQueries: false)
        if let unclosed = file.unclosed {
            diagnostics.append(Diagnostic(.error, unclosed.message, at: source.location(at: unclosed.offset)))
        }
        for part in file.parts {
            switch part {
            case .comment(let comment): above += read(comment)
            case .statement(let statement, let comments):
                let tokens = SQLTokenizer.tokens(of: statement.text)
                let words = tokens.prefix(2).map(\.keyword)
                if words == ["DROP", "TABLE"] { dropsTable = true }
                let renames = words == ["ALTER", "TABLE"] && tokens.contains { $0.is("RENAME") }
                statements.append(
                    Statement(source: statement, comments: above + comments.flatMap { read($0) }, renames: renames))
                above = []
            }
        }
        lastComments = above.filter { $0.table != nil }
        diagnostics += above.filter { $0.table == nil }.map { comment in
            Diagnostic(
                .error, "the declaration belongs to no table: write table.\(comment.column)",
                at: comment.declaration.location)
        }
    }

    private mutating func read(_ comment: Comment) -> [SchemaComment] {
        switch SchemaCommentReader.read(comment, in: source) {
        case .type(let declaration): return [declaration]
        case .function(let function): functions.append(function)
        case .collation(let name): collations.append(name)
        case .invalid(let diagnostic): diagnostics.append(diagnostic)
        case nil: break
        }
        return []
    }
}
