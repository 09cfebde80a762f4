import Squall

// Conditions prove that columns are not NULL in the rows for which they are true.
//
// Only IS NOT NULL does. A comparison excludes NULL as well, but then the type of a row would change with a filter: the rows of
// `WHERE price < :limit` would be others than those of the whole table.

extension Analysis {
    /// Notes the columns that a condition, which holds for every row, proves not to be NULL.
    func assume(_ condition: Expression, in scope: Scope) {
        for key in provenByTruth(of: condition, in: scope) {
            scope.notNull.insert(key)
            // A row of NULLs has no such column.
            scope.sources.first { $0.id == key.source }?.hasNullRows = false
        }
    }

    /// Notes what a condition proves while it is true, in a branch of CASE.
    func prove(_ condition: Expression, in scope: Scope) {
        scope.notNullInBranch.formUnion(provenByTruth(of: condition, in: scope))
    }

    /// Notes what a condition proves that is not true, in the branches of CASE after it.
    func proveOpposite(of condition: Expression, in scope: Scope) {
        scope.notNullInBranch.formUnion(provenByUntruth(of: condition, in: scope))
    }

    /// The columns that are not NULL in a row for which an expression is true.
    private func provenByTruth(of expression: Expression, in scope: Scope) -> Set<ColumnOrigin> {
        switch expression {
        case .and(let left, let right):
            provenByTruth(of: left, in: scope).union(provenByTruth(of: right, in: scope))
        case .or(let left, let right):
            provenByTruth(of: left, in: scope).intersection(provenByTruth(of: right, in: scope))
        case .isNull(.column(let table, let name, _), isNegated: true): column(name, in: table, scope)
        case .not(let negated): provenByFalsehood(of: negated, in: scope)
        default: []
        }
    }

    /// The columns that are not NULL in a row for which an expression is false.
    private func provenByFalsehood(of expression: Expression, in scope: Scope) -> Set<ColumnOrigin> {
        switch expression {
        case .or(let left, let right):
            provenByFalsehood(of: left, in: scope).union(provenByFalsehood(of: right, in: scope))
        case .and(let left, let right):
            provenByFalsehood(of: left, in: scope).intersection(provenByFalsehood(of: right, in: scope))
        case .isNull(.column(let table, let name, _), isNegated: false): column(name, in: table, scope)
        case .not(let negated): provenByTruth(of: negated, in: scope)
        default: []
        }
    }

    /// The columns that are not NULL in a row for which an expression is false or NULL.
    private func provenByUntruth(of expression: Expression, in scope: Scope) -> Set<ColumnOrigin> {
        switch expression {
        case .or(let left, let right):
            provenByUntruth(of: left, in: scope).union(provenByUntruth(of: right, in: scope))
        case .and(let left, let right):
            provenByUntruth(of: left, in: scope).intersection(provenByUntruth(of: right, in: scope))
        // IS NULL is never NULL.
        case .isNull(_, isNegated: false): provenByFalsehood(of: expression, in: scope)
        default: []
        }
    }

    private func column(_ name: Identifier, in table: Identifier?, _ scope: Scope) -> Set<ColumnOrigin> {
        // A merged column is that of either side.
        if table == nil, scope.merged.contains(name) { return [] }
        return scope.find(name, in: table).map { [ColumnOrigin(source: $0.0.id, column: name)] } ?? []
    }
}
