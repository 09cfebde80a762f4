import Squall

/// The type of an expression, as far as it is certain, and whether its value can be NULL.
struct Inference: Hashable, Sendable {
    /// The type; `nil` where it must be declared, and for the literal NULL.
    var type: ValueType?
    /// Whether the value can be NULL.
    var isNullable: Bool
    /// Whether the expression is the literal NULL, which takes the type of what stands beside it.
    var isNullLiteral = false
    /// Whether the expression is the literal 0 or 1, which is a truth value beside one.
    var isTruthLiteral = false
    /// Whether the value is a finite number other than 0, so that arithmetic with it makes no NULL of a number.
    var isFinite = false
    /// The column of the FROM clause, if the expression is one.
    var origin: ColumnKey?
    /// Whether the value can be NULL in a row that exists, apart from the rows of NULLs that outer joins add.
    var isNullableInRow = true

    init(_ type: ValueType?, isNullable: Bool) {
        self.type = type
        self.isNullable = isNullable
        isNullableInRow = isNullable
    }

    static let unknown = Inference(nil, isNullable: true)
    static let null: Inference = {
        var null = Inference(nil, isNullable: true)
        null.isNullLiteral = true
        return null
    }()

    static func literal(_ type: ValueType, isFinite: Bool = false) -> Inference {
        var result = Inference(type, isNullable: false)
        result.isFinite = isFinite
        return result
    }

    /// Returns the same with another nullability, and without what holds only for a column or a literal.
    func derived(isNullable: Bool) -> Inference { Inference(type, isNullable: isNullable) }

    /// Whether the value is a number whose sums and products are numbers.
    var isNumber: Bool { isInteger || type == .double }
    var isInteger: Bool { type == .int || type == .rowID || type == .bool }

    /// Returns what is known of a value that is one of two: a result of CASE or COALESCE, a row of a UNION.
    func united(with other: Inference) -> Inference {
        let isNullable = isNullable || other.isNullable
        if isNullLiteral { return other.derived(isNullable: true) }
        if other.isNullLiteral { return derived(isNullable: true) }
        var result = Inference(unitedType(with: other), isNullable: isNullable)
        result.isTruthLiteral = isTruthLiteral && other.isTruthLiteral
        return result
    }

    private func unitedType(with other: Inference) -> ValueType? {
        guard let left = type, let right = other.type else { return nil }
        if left == right { return left }
        let types: Set<ValueType> = [left, right]
        if types.isSubset(of: [.int, .rowID]) { return .rowID }
        if types.isSubset(of: [.int, .rowID, .double]) { return .double }
        if left == .bool && other.isTruthLiteral || right == .bool && isTruthLiteral { return .bool }
        return types == [.bool, .int] ? .int : types == [.bool, .rowID] ? .rowID : nil
    }
}

/// A column of a table of a FROM clause.
struct ColumnKey: Hashable, Sendable {
    let source: Int
    let column: Identifier
}
