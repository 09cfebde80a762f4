// What a condition proves about the rows for which it is true.

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
        scope.notNull.formUnion(provenByTruth(of: condition, in: scope))
    }

    /// The columns that are not NULL in a row for which an expression is true.
    private func provenByTruth(of expression: Expression, in scope: Scope) -> Set<ColumnKey> {
        switch expression {
        case .and(let left, let right):
            provenByTruth(of: left, in: scope).union(provenByTruth(of: right, in: scope))
        case .or(let left, let right):
            provenByTruth(of: left, in: scope).intersection(provenByTruth(of: right, in: scope))
        case .isNull(let value, isNegated: true): required(by: value, in: scope)
        case .equal(let left, let right, isNegated: false):
            // `x IS 5` is true only for 5.
            if right.isLiteralValue {
                required(by: left, in: scope)
            } else if left.isLiteralValue {
                required(by: right, in: scope)
            } else {
                []
            }
        case .not(let negated): provenByFalsehood(of: negated, in: scope)
        case .between(let value, let low, let high):
            [value, low, high].reduce(into: []) { $0.formUnion(required(by: $1, in: scope)) }
        case .inList(let value, _), .inParameter(let value, _), .inSelect(let value, _), .inTable(let value):
            required(by: value, in: scope)
        default: required(by: expression, in: scope)
        }
    }

    /// The columns that are not NULL in a row for which an expression is false.
    private func provenByFalsehood(of expression: Expression, in scope: Scope) -> Set<ColumnKey> {
        switch expression {
        case .or(let left, let right):
            provenByFalsehood(of: left, in: scope).union(provenByFalsehood(of: right, in: scope))
        case .and(let left, let right):
            provenByFalsehood(of: left, in: scope).intersection(provenByFalsehood(of: right, in: scope))
        case .isNull(let value, isNegated: false): required(by: value, in: scope)
        case .not(let negated): provenByTruth(of: negated, in: scope)
        default: required(by: expression, in: scope)
        }
    }

    /// The columns whose NULL makes an expression NULL.
    ///
    /// BETWEEN is not such an expression: it can be false because of one end while the other is NULL. Nor is IN, whose list may
    /// be empty, which NULL is not in.
    private func required(by expression: Expression, in scope: Scope) -> Set<ColumnKey> {
        switch expression {
        case .column(let table, let name, _): column(name, in: table, scope).map { [$0] } ?? []
        case .unary(_, let value), .collate(let value), .cast(let value, _): required(by: value, in: scope)
        case .binary("->", let left, _), .binary("->>", let left, _): required(by: left, in: scope)
        case .binary(_, .row, _), .binary(_, _, .row): []
        case .binary(_, let left, let right):
            required(by: left, in: scope).union(required(by: right, in: scope))
        case .like("MATCH", _, _, _), .like("REGEXP", _, _, _): []
        case .like(_, let value, let pattern, _):
            required(by: value, in: scope).union(required(by: pattern, in: scope))
        case .not(let value): required(by: value, in: scope)
        case .inList(let value, let list) where !list.isEmpty: required(by: value, in: scope)
        case .function(let call) where Self.strictFunctions.contains(call.name) && call.window == nil:
            call.arguments.reduce(into: []) { $0.formUnion(required(by: $1, in: scope)) }
        default: []
        }
    }

    private func column(_ name: Name, in table: Name?, _ scope: Scope) -> ColumnKey? {
        // A merged column is that of either side.
        if table == nil, scope.merged.contains(name) { return nil }
        return scope.find(name, in: table).map { ColumnKey(source: $0.0.id, column: name) }
    }

    /// The functions that are NULL when an argument is NULL.
    private static let strictFunctions: Set<Name> = [
        "abs", "instr", "length", "lower", "ltrim", "round", "rtrim", "substr", "substring", "trim", "upper",
        "json", "json_extract", "json_type", "json_array_length", "date", "datetime", "julianday", "time",
    ]
}

extension Expression {
    /// Whether the expression is a literal other than NULL.
    var isLiteralValue: Bool {
        switch self {
        case .integer, .real, .text, .blob, .bool: true
        case .unary(_, let value): value.isLiteralValue
        default: false
        }
    }
}
