import Squall

/// A statement whose parameters and results are analysed.
indirect enum StatementSyntax: Sendable {
    case select(Select)
    case insert(Insert)
    case update(Update)
    case delete(Delete)
    /// A statement of another kind, which has neither typed parameters nor typed results.
    case other
}

/// An `INSERT` or a `REPLACE`.
struct Insert: Sendable {
    let with: [CommonTableExpression]
    let table: Identifier
    let alias: Identifier?
    let columns: [Identifier]
    /// The place of the list of columns, in bytes of UTF-8.
    let columnsOffset: Int
    /// The rows; `nil` for `DEFAULT VALUES`.
    let source: Select?
    let upserts: [Upsert]
    let returning: [ResultItem]

    struct Upsert: Sendable {
        let assignments: [Assignment]
        let conditions: [Expression]
    }
}

/// An `UPDATE`.
struct Update: Sendable {
    let with: [CommonTableExpression]
    let table: Identifier
    let alias: Identifier?
    let assignments: [Assignment]
    let from: TableExpression?
    let condition: Expression?
    let limit: [Expression]
    let returning: [ResultItem]
}

/// A `DELETE`.
struct Delete: Sendable {
    let with: [CommonTableExpression]
    let table: Identifier
    let alias: Identifier?
    let condition: Expression?
    let limit: [Expression]
    let returning: [ResultItem]
}

/// An assignment of `SET`: `a = 1`, or `(a, b) = (1, 2)`.
struct Assignment: Sendable {
    let columns: [Identifier]
    let value: Expression
}
