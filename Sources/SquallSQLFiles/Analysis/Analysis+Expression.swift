import Squall

extension Analysis {
    /// The type that the surroundings give to an expression.
    struct Expectation {
        var type: ValueType?
        var allowsNull = false
        var refusesNull = false
    }

    func infer(_ expression: Expression, in scope: Scope, expecting type: ValueType?) -> Inference {
        infer(expression, in: scope, expecting: Expectation(type: type))
    }

    /// Infers the type and the nullability of an expression.
    ///
    /// - Parameter expectation: What is known of a parameter in this place.
    func infer(_ expression: Expression, in scope: Scope, expecting expectation: Expectation = .init()) -> Inference {
        // A bound for views on views on views.
        stepCount += 1
        guard stepCount < 200_000 else { return .unknown }
        switch expression {
        case .integer(let text): return integer(text)
        case .real(let text):
            return .literal(.double, isFiniteNonzero: Double(text).map { $0.isFinite && $0 != 0 } ?? false)
        case .text: return .literal(.string)
        case .blob: return .literal(.data)
        case .bool: return .literal(.bool)
        case .null: return .null
        case .currentTime: return Inference(.string, isNullable: false)
        case .raise: return .unknown
        case .parameter(let name): return parameter(name, expectation)
        case .column(let table, let name, _): return column(name, in: table, scope, expectation)
        case .unary(let sign, let value): return unary(sign, infer(value, in: scope, expecting: expectation))
        case .collate(let value): return infer(value, in: scope, expecting: expectation)
        case .cast(let value, let type): return cast(value, to: type, in: scope)
        case .function(let call): return infer(call, in: scope, expecting: expectation)
        case .cases(let base, let cases, let otherwise):
            return infer(base: base, cases, otherwise: otherwise, in: scope, expecting: expectation)
        case .subquery(let select): return scalar(select, in: scope)
        case .row(let values):
            for value in values { _ = infer(value, in: scope) }
            return .unknown
        case .binary(let sign, let left, let right): return binary(sign, left, right, in: scope)
        default: return predicate(expression, in: scope)
        }
    }

    private func integer(_ text: String) -> Inference {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let digits = isHexadecimal ? String(text.dropFirst(2)) : text
        let isZero = digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "_") }
        // A number that is no 64-bit integer is REAL.
        let isReal = !isHexadecimal && Int64(digits) == nil
        var result = Inference.literal(isReal ? .double : .int, isFiniteNonzero: !isZero)
        if text == "0" || text == "1" { result.literal = .zeroOrOne }
        return result
    }

    // MARK: Names

    private func parameter(_ name: String, _ expectation: Expectation) -> Inference {
        use(
            ParameterUse(
                parameter: name, type: expectation.type, allowsNull: expectation.allowsNull,
                refusesNull: expectation.refusesNull))
        guard let declaration = declared[name] else {
            return Inference(expectation.type, isNullable: expectation.type == nil || expectation.allowsNull)
        }
        return Inference(declaration.type, isNullable: declaration.nullability == .optional)
    }

    private func column(_ name: Identifier, in table: Identifier?, _ scope: Scope, _ expectation: Expectation)
        -> Inference
    {
        var proven: Set<ColumnOrigin> = []
        var next: Scope? = scope
        while let current = next {
            proven.formUnion(current.notNull)
            proven.formUnion(current.notNullInBranch)
            if let (source, column) = current.find(name, in: table) {
                return value(of: column, source, current, proven, isQualified: table != nil)
            }
            if table == nil, let expression = current.aliases.removeValue(forKey: name) {
                defer { current.aliases[name] = expression }
                return infer(expression, in: current, expecting: expectation)
            }
            next = current.parent
        }
        return .unknown
    }

    private func value(
        of column: Source.Column, _ source: Source, _ scope: Scope, _ proven: Set<ColumnOrigin>, isQualified: Bool
    ) -> Inference {
        let name = column.name ?? ""
        let origin = ColumnOrigin(source: source.id, column: name)
        // A row of NULLs has no column that is not NULL.
        let hasNullRows = source.hasNullRows && !proven.contains { $0.source == source.id }
        var result = Inference(column.type, isNullable: column.isNullable || hasNullRows)
        result.isNullableInRow = column.isNullable
        if !isQualified, scope.merged.contains(name) {
            // The first of the columns that is not NULL.
            let all = scope.sources.compactMap { source in source.column(name).map { (source, $0) } }
            result.isNullable = all.allSatisfy { $0.1.isNullable || $0.0.hasNullRows }
            result.isNullableInRow = result.isNullable
            if all.contains(where: { $0.1.type != column.type }) { result.type = nil }
        } else {
            result.origin = origin
            if proven.contains(origin) {
                result.isNullable = false
                result.isNullableInRow = false
            }
        }
        // The row of an empty group has no columns.
        if scope.canBeEmptyGroup, scope.aggregateDepth == 0 { result.isNullable = true }
        return result
    }

    // MARK: Operators

    private func unary(_ sign: String, _ value: Inference) -> Inference {
        if value.literal == .null { return value }
        switch sign {
        case "~": return Inference(.int, isNullable: value.isNullable)
        case "+":
            // A sign makes an expression of a column.
            var result = value
            result.origin = nil
            return result
        default:
            var result = Inference(value.isNumber ? value.type : nil, isNullable: value.isNullable)
            if value.type == .bool { result.type = .int }
            result.isFiniteNonzero = value.isFiniteNonzero
            return result
        }
    }

    private func binary(_ sign: String, _ left: Expression, _ right: Expression, in scope: Scope) -> Inference {
        if case .row(let lefts) = left, case .row(let rights) = right, lefts.count == rights.count {
            let pairs = zip(lefts, rights).map { operands($0, $1, in: scope) }
            return Inference(.bool, isNullable: pairs.contains { $0.0.isNullable || $0.1.isNullable })
        }
        switch sign {
        case "||":
            let values = [left, right].map { infer($0, in: scope, expecting: .string) }
            return Inference(.string, isNullable: values.contains(where: \.isNullable))
        case "&", "|", "<<", ">>":
            let values = [left, right].map { infer($0, in: scope, expecting: .int) }
            return Inference(.int, isNullable: values.contains(where: \.isNullable))
        case "->", "->>":
            _ = (infer(left, in: scope), infer(right, in: scope))
            return sign == "->" ? Inference(.string, isNullable: true) : .unknown
        case "*", "/":
            // An integer can be multiplied by a rate as well as by a number of pieces.
            let values = [left, right].map { infer($0, in: scope, expecting: Expectation()) }
            return arithmetic(sign, values[0], values[1])
        case "+", "-", "%":
            let (left, right) = operands(left, right, in: scope)
            return arithmetic(sign, left, right)
        default:
            let (left, right) = operands(left, right, in: scope)
            return Inference(.bool, isNullable: left.isNullable || right.isNullable)
        }
    }

    /// Infers two operands, of which each gives its type to a parameter on the other side.
    func operands(
        _ left: Expression, _ right: Expression, in scope: Scope, allowsNull: Bool = false
    ) -> (Inference, Inference) {
        func expectation(_ other: Inference) -> Expectation {
            Expectation(type: other.literal == .null ? nil : other.type, allowsNull: allowsNull)
        }
        if left.isParameter {
            let other = infer(right, in: scope)
            return (infer(left, in: scope, expecting: expectation(other)), other)
        }
        let other = infer(left, in: scope)
        return (other, infer(right, in: scope, expecting: expectation(other)))
    }

    private func arithmetic(_ sign: String, _ left: Inference, _ right: Inference) -> Inference {
        let isNullable = left.isNullable || right.isNullable
        guard left.isNumber, right.isNumber else { return Inference(nil, isNullable: true) }
        let isInteger = left.isInteger && right.isInteger
        // The remainder of REAL operands is REAL.
        var type: ValueType = isInteger ? .int : .double
        if isInteger, left.type == .rowID || right.type == .rowID { type = .rowID }
        switch sign {
        // A division by 0 is NULL.
        case "/": return Inference(type, isNullable: isNullable || !right.isFiniteNonzero)
        // The divisor is made an integer, and 0.5 becomes 0.
        case "%": return Inference(type, isNullable: isNullable || !right.isFiniteNonzero || !right.isInteger)
        // Infinity minus infinity is NULL, and so is 0 times infinity.
        case _ where isInteger || left.isFiniteNonzero || right.isFiniteNonzero:
            return Inference(type, isNullable: isNullable)
        default: return Inference(type, isNullable: true)
        }
    }

    private func cast(_ value: Expression, to type: String, in scope: Scope) -> Inference {
        let target = ValueType(affinityOf: type)
        let value = infer(value, in: scope, expecting: target)
        return Inference(target, isNullable: value.isNullable)
    }

    // MARK: Compound expressions

    private func infer(
        base: Expression?, _ cases: [Expression.Case], otherwise: Expression?, in scope: Scope,
        expecting expectation: Expectation
    ) -> Inference {
        var result: Inference?
        let outer = scope.notNullInBranch
        defer { scope.notNullInBranch = outer }
        for branch in cases {
            if let base {
                _ = operands(base, branch.condition, in: scope)
            } else {
                _ = infer(branch.condition, in: scope, expecting: .bool)
            }
            // In the branch, the condition is true, and in those after it, it is not.
            let proven = scope.notNullInBranch
            if base == nil { prove(branch.condition, in: scope) }
            let value = infer(branch.result, in: scope, expecting: expectation)
            scope.notNullInBranch = proven
            if base == nil { proveOpposite(of: branch.condition, in: scope) }
            result = result?.united(with: value) ?? value
        }
        let last = otherwise.map { infer($0, in: scope, expecting: expectation) } ?? .null
        return result?.united(with: last) ?? last
    }

    private func scalar(_ select: Select, in scope: Scope) -> Inference {
        guard let first = infer(select, in: scope).first else { return .unknown }
        return Inference(first.value.type, isNullable: first.value.isNullable || !hasOneRow)
    }
}

extension Expression {
    /// Whether the expression is a parameter.
    var isParameter: Bool {
        switch self {
        case .parameter: true
        case .unary(_, let value), .collate(let value): value.isParameter
        default: false
        }
    }
}
