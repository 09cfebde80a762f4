import Squall

extension Expression {
    /// The functions that make one value of the rows of a group.
    static let aggregates: Set<Identifier> = [
        "avg", "count", "group_concat", "json_group_array", "json_group_object", "max", "min", "string_agg", "sum",
        "total",
    ]

    /// The columns that the expression names, without those of subqueries.
    var columns: [(table: Identifier?, name: Identifier)] {
        switch self {
        case .column(let table, let name, _): [(table, name)]
        case .integer, .real, .text, .blob, .null, .bool, .currentTime, .parameter, .exists, .subquery, .raise: []
        case .unary(_, let value), .not(let value), .isNull(let value, _), .inParameter(let value, _),
            .inSelect(let value, _), .inTable(let value), .cast(let value, _), .collate(let value):
            value.columns
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right),
            .equal(let left, let right, _):
            left.columns + right.columns
        case .between(let value, let low, let high): [value, low, high].flatMap(\.columns)
        case .like(_, let value, let pattern, let escape): [value, pattern, escape ?? .null].flatMap(\.columns)
        case .inList(_, let list) where list.isEmpty: []
        case .inList(let value, let list): ([value] + list).flatMap(\.columns)
        case .function(let call): call.arguments.flatMap(\.columns)
        case .cases(let base, let cases, let otherwise):
            ([base, otherwise].compactMap { $0 } + cases.flatMap { [$0.condition, $0.result] }).flatMap(\.columns)
        case .row(let values): values.flatMap(\.columns)
        }
    }
}

extension FunctionCall {
    /// Whether the call is an aggregate of the rows of its SELECT. With several arguments, `min` and `max` compare them.
    var isAggregate: Bool {
        guard window == nil, Expression.aggregates.contains(name) else { return false }
        return name != "min" && name != "max" || arguments.count == 1
    }
}
