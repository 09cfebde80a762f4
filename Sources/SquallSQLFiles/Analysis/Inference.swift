import Squall

/// The type of an expression, as far as it is certain, and whether its value can be NULL.
struct Inference: Hashable, Sendable {
    /// A literal that takes the type of a value with which it is united.
    enum Literal: Hashable {
        case null
        /// 0 or 1, possibly NULL: a truth value beside one.
        case zeroOrOne
    }

    /// The type; `nil` where it must be declared, and for the literal NULL.
    var type: ValueType?
    /// Whether the value can be NULL.
    var isNullable: Bool
    /// The literal that the expression is, or that all its branches are.
    var literal: Literal?
    /// Whether the value is a finite number other than 0, so that arithmetic with it makes no NULL of a number.
    var isFiniteNonzero = false
    /// The column of the FROM clause, if the expression is one.
    var origin: ColumnOrigin?
    /// Whether the value can be NULL in a row that exists, apart from the rows of NULLs that outer joins add.
    var isNullableInRow: Bool

    init(_ type: ValueType?, isNullable: Bool) {
        self.type = type
        self.isNullable = isNullable
        isNullableInRow = isNullable
    }

    static let unknown = Inference(nil, isNullable: true)
    static let null: Inference = {
        var null = Inference(nil, isNullable: true)
        null.literal = .null
        return null
    }()

    static func literal(_ type: ValueType, isFiniteNonzero: Bool = false) -> Inference {
        var result = Inference(type, isNullable: false)
        result.isFiniteNonzero = isFiniteNonzero
        return result
    }

    /// Returns the type with a nullability, without the properties that hold only for a column or a literal.
    func derived(isNullable: Bool) -> Inference { Inference(type, isNullable: isNullable) }

    /// Whether the value is a number whose sums and products are numbers.
    var isNumber: Bool { isInteger || type == .double }
    var isInteger: Bool { type == .int || type == .rowID || type == .bool }

    /// Returns the inference for a value that is one of two: a result of CASE or COALESCE, a row of a UNION.
    func united(with other: Inference) -> Inference {
        if literal == .null, other.literal != .null { return other.united(with: self) }
        // NULL leaves the other value its type and its literal.
        let isNull = other.literal == .null
        var result = Inference(isNull ? type : unitedType(with: other), isNullable: isNullable || other.isNullable)
        if isNull || literal == other.literal { result.literal = literal }
        return result
    }

    private func unitedType(with other: Inference) -> ValueType? {
        guard let left = type, let right = other.type else { return nil }
        if left == right { return left }
        let types: Set<ValueType> = [left, right]
        if types.isSubset(of: [.int, .rowID]) { return .rowID }
        if types.isSubset(of: [.int, .rowID, .double]) { return .double }
        if left == .bool && other.literal == .zeroOrOne || right == .bool && literal == .zeroOrOne { return .bool }
        if types == [.bool, .int] { return .int }
        return types == [.bool, .rowID] ? .rowID : nil
    }
}

/// A column of a table of a FROM clause.
struct ColumnOrigin: Hashable, Sendable {
    let source: Int
    let column: Identifier
}
