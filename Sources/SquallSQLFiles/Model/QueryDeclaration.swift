import Squall

/// A query of a file, before it is checked.
struct QueryDeclaration: Sendable {
    let name: String
    let location: SourceLocation
    /// The number of rows that the comment asks for: `-- name: car :optional`.
    let cardinality: Cardinality?
    /// The name of a row type that several queries have: `-- row: Car`.
    let row: String?
    /// The comments above the query that declare nothing, as lines of documentation.
    let documentation: [String]
    /// The types that comments declare, by the name of a column or a parameter. A name with the prefix `:` is that of a parameter
    /// alone.
    let types: [Identifier: TypeDeclaration]
    /// The place of `-- plan: no scan`.
    let noScan: SourceLocation?
    /// The statements, at least one. Several run in one transaction.
    let statements: [SourceText.Excerpt]
    let source: SourceText
}

/// The number of rows that a query returns.
enum Cardinality: String, Sendable, CaseIterable {
    /// All rows, as an array.
    case many
    /// The first row. A query without rows throws.
    case one
    /// The first row; `nil` without one.
    case optional
    /// No rows: the statement is run for its effect.
    case execute
}
