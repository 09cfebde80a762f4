import Squall

/// A declaration of a column's type in a schema file.
struct SchemaComment: Sendable {
    /// The table that the comment names; `nil` for the one of the statement.
    let table: Identifier?
    let column: Identifier
    let declaration: TypeDeclaration
}

/// Reads the declarations in the comments of a schema file.
enum SchemaCommentReader {
    enum Result {
        case type(SchemaComment)
        case function(FunctionDeclaration)
        case collation(String)
        case invalid(Diagnostic)
    }

    /// Reads a comment; `nil` for one that declares nothing.
    static func read(_ comment: Comment, in source: SourceText) -> Result? {
        let location = source.location(at: comment.offset)
        // Without a number of rows, the comment may be about a column `name`.
        if case .name(let name, .some)? = CommentDeclaration(comment, in: source) {
            return .invalid(Diagnostic(.error, "the query '\(name)' belongs outside the folder 'schema'", at: location))
        }
        switch CommentDeclaration(comment, in: source, keywords: CommentDeclaration.Keyword.ofSchema) {
        case .function(let function): return .function(function)
        case .collation(let name): return .collation(name)
        case .type(_, _, let type) where type.nullability == .promised:
            return .invalid(
                Diagnostic(.error, "! is for queries: in the schema, NOT NULL excludes NULL", at: location))
        case .type(let table, let key, let type):
            return .type(SchemaComment(table: table.map { Identifier($0) }, column: Identifier(key), declaration: type))
        case .invalid(let message): return .invalid(Diagnostic(.error, message, at: location))
        case .name, .row, .noScan, nil: return nil
        }
    }
}
