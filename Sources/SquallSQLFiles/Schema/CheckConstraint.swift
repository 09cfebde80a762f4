import Squall

/// Reads the CHECK constraints of a table.
enum CheckConstraint {
    /// Returns the columns in which a CHECK allows only 0, 1 and NULL.
    ///
    /// - Parameter sql: The `CREATE TABLE` as SQLite stores it.
    static func truths(of columns: [Identifier], in sql: String) -> Set<Identifier> {
        let conditions = conditions(in: sql)
        guard !conditions.isEmpty else { return [] }
        return Set(columns.filter { name in conditions.contains { $0.allowsOnlyTruth(of: name) } })
    }

    private static func conditions(in sql: String) -> [Expression] {
        // Most tables have none.
        guard sql.asciiUppercased.contains("CHECK") else { return [] }
        var parser = Parser(SQLTokenizer.tokens(of: sql))
        var (conditions, depth) = ([Expression](), 0)
        while let token = parser.peek() {
            parser.position += 1
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            // CHECK is not a name without quotes.
            guard depth == 1, token.is("CHECK"), parser.isNext("(") else { continue }
            let start = parser.position
            if let condition = try? parser.parenthesised({ try $0.expression() }) {
                conditions.append(condition)
            } else {
                parser.position = start
            }
        }
        return conditions
    }
}

extension Expression {
    /// Whether the expression is false for every value of a column but 0, 1 and NULL.
    fileprivate func allowsOnlyTruth(of column: Identifier) -> Bool {
        switch self {
        case .and(let left, let right): left.allowsOnlyTruth(of: column) || right.allowsOnlyTruth(of: column)
        case .or(let left, let right):
            [left, right].allSatisfy { side in
                if case .isNull(let value, isNegated: false) = side { return value.isColumn(column) }
                if case .binary(let sign, let value, let literal) = side, ["=", "=="].contains(sign) {
                    return value.isColumn(column) && literal.isTruth || literal.isColumn(column) && value.isTruth
                }
                return side.allowsOnlyTruth(of: column)
            }
        case .inList(let value, let list): value.isColumn(column) && !list.isEmpty && list.allSatisfy(\.isTruth)
        case .between(let value, let low, let high): value.isColumn(column) && low.isFalse && high.isTrue
        default: false
        }
    }

    private func isColumn(_ name: Identifier) -> Bool {
        if case .column(_, let column, _) = self { column == name } else { false }
    }

    private var isTruth: Bool { isFalse || isTrue }

    private var isFalse: Bool {
        switch self {
        case .integer("0"), .bool(false): true
        default: false
        }
    }

    private var isTrue: Bool {
        switch self {
        case .integer("1"), .bool(true): true
        default: false
        }
    }
}
