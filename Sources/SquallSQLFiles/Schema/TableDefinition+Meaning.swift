import Squall

extension TableDefinition {
    /// The columns that refer to the rowid of a table.
    func rowIDReferences(_ tables: [Name: TableDefinition]) -> Set<Name> {
        var keys = columns.flatMap { column in column.references.map { ([column.name], $0) } }
        for constraint in constraints {
            if case .foreignKey(let columns, let reference) = constraint.kind { keys.append((columns, reference)) }
        }
        let found = keys.compactMap { columns, reference -> Name? in
            guard columns.count == 1, let rowID = tables[Name(reference.table)]?.rowIDColumn else { return nil }
            return reference.columns.allSatisfy { Name($0) == Name(rowID) } ? Name(columns[0]) : nil
        }
        return Set(found)
    }

    /// The columns in which a CHECK allows only 0, 1 and NULL.
    var truths: Set<Name> {
        let others = constraints.compactMap { constraint -> SQL? in
            if case .check(let condition) = constraint.kind { condition } else { nil }
        }
        let conditions = (columns.flatMap { $0.checks.map(\.condition) } + others).compactMap { condition in
            var parser = Parser(Lexer.tokens(of: condition.text))
            return try? parser.expression()
        }
        guard !conditions.isEmpty else { return [] }
        let names = columns.map { Name($0.name) }
        return Set(names.filter { name in conditions.contains { $0.allowsOnlyTruth(of: name) } })
    }
}

extension Expression {
    /// Whether the expression is false for every value of a column but 0, 1 and NULL.
    fileprivate func allowsOnlyTruth(of column: Name) -> Bool {
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
        case .between(let value, .integer("0"), .integer("1")): value.isColumn(column)
        default: false
        }
    }

    private func isColumn(_ name: Name) -> Bool {
        if case .column(_, let column, _) = self { column == name } else { false }
    }

    private var isTruth: Bool {
        switch self {
        case .integer("0"), .integer("1"), .bool: true
        default: false
        }
    }
}
