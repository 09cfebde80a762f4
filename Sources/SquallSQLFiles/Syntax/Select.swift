import Squall

/// A `SELECT`, with its common tables and the other arms of a compound.
struct Select: Sendable {
    var with: [CommonTableExpression]
    /// The arms in their order, at least one.
    var arms: [Arm]
    /// The operators between the arms.
    var operators: [Operator]
    var order: [Expression]
    var limit: [Expression]

    /// An operator of a compound. UNION ALL is a UNION.
    enum Operator: String, Sendable {
        case union = "UNION"
        case intersect = "INTERSECT"
        case except = "EXCEPT"
    }

    /// One `SELECT` or `VALUES` of a compound.
    indirect enum Arm: Sendable {
        case select(SelectCore)
        case values([[Expression]])
    }
}

/// A `SELECT` without ORDER BY and LIMIT.
struct SelectCore: Sendable {
    var columns: [ResultItem] = []
    var from: TableExpression?
    var condition: Expression?
    var group: [Expression] = []
    var having: Expression?
    /// The named windows.
    var windows: [Identifier: WindowDefinition] = [:]
}

/// An item of the list of results.
enum ResultItem: Sendable {
    /// `*`, or `table.*`; the range is that of the item in the SQL.
    case all(of: Identifier?, range: Range<Int>)
    /// An expression; the range is that of it and its alias.
    case expression(Expression, alias: Identifier?, range: Range<Int>)
}

/// A table of a FROM clause, or a join.
indirect enum TableExpression: Sendable {
    case table(schema: Identifier?, Identifier, alias: Identifier?)
    /// A table function: `json_each(…)`.
    case function(Identifier, [Expression], alias: Identifier?)
    case subquery(Select, alias: Identifier?)
    case join(TableExpression, JoinKind, TableExpression, JoinConstraint)

    enum JoinKind: Sendable {
        case inner, left, right, full

        /// Whether rows of the left side appear with NULL in place of a row of the right one.
        var keepsLeft: Bool { self == .left || self == .full }
        var keepsRight: Bool { self == .right || self == .full }
    }

    enum JoinConstraint: Sendable {
        case none, natural
        case on(Expression)
        case using([Identifier])
    }
}

/// A common table: `WITH name(columns) AS (SELECT …)`.
struct CommonTableExpression: Sendable {
    let name: Identifier
    let columns: [Identifier]
    let statement: StatementSyntax
}
