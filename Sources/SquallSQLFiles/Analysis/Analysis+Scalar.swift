import Squall

// The functions of SQLite that take the values of one row, by its documentation.

extension Analysis {
    func infer(scalar call: FunctionCall, in scope: Scope, expecting expectation: Expectation) -> Inference {
        switch call.name {
        case "coalesce", "ifnull": return coalesce(call.arguments, in: scope, expecting: expectation)
        case "nullif":
            guard call.arguments.count == 2 else { return .unknown }
            return operands(call.arguments[0], call.arguments[1], in: scope).0.derived(isNullable: true)
        case "iif", "if": return conditional(call.arguments, in: scope, expecting: expectation)
        case "min", "max": return extreme(call.arguments, in: scope, expecting: expectation)
        case "likely", "unlikely", "likelihood":
            guard let first = call.arguments.first else { return .unknown }
            return infer(first, in: scope, expecting: expectation)
        default: break
        }
        let expected = Self.argumentTypes[call.name] ?? []
        let values = call.arguments.enumerated().map { index, argument in
            infer(argument, in: scope, expecting: expected.indices.contains(index) ? expected[index] : nil)
        }
        return Self.result(of: call, values)
    }

    /// The first value that is not NULL.
    private func coalesce(_ arguments: [Expression], in scope: Scope, expecting expectation: Expectation) -> Inference {
        let values = besideParameters(arguments, allowsNull: true, in: scope, expecting: expectation)
        guard var result = values.first else { return .unknown }
        for value in values.dropFirst() { result = result.united(with: value) }
        return result.derived(isNullable: values.allSatisfy(\.isNullable))
    }

    /// Infers arguments of one type. A parameter has the type of the first of the others.
    private func besideParameters(
        _ arguments: [Expression], allowsNull: Bool, in scope: Scope, expecting expectation: Expectation
    ) -> [Inference] {
        var values = arguments.map { $0.isParameter ? Inference.unknown : infer($0, in: scope, expecting: expectation) }
        let type = values.lazy.compactMap(\.type).first ?? expectation.type
        for index in arguments.indices where arguments[index].isParameter {
            let expected = Expectation(type: type, allowsNull: allowsNull)
            values[index] = infer(arguments[index], in: scope, expecting: expected)
        }
        return values
    }

    private func conditional(
        _ arguments: [Expression], in scope: Scope, expecting expectation: Expectation
    ) -> Inference {
        guard arguments.count >= 2 else { return .unknown }
        let cases = stride(from: 0, to: arguments.count - 1, by: 2).map {
            Expression.Case(condition: arguments[$0], result: arguments[$0 + 1])
        }
        let otherwise = arguments.count % 2 == 1 ? arguments.last : nil
        return infer(.cases(base: nil, cases, otherwise: otherwise), in: scope, expecting: expectation)
    }

    private func extreme(_ arguments: [Expression], in scope: Scope, expecting expectation: Expectation) -> Inference {
        let values = besideParameters(arguments, allowsNull: false, in: scope, expecting: expectation)
        guard let first = values.first else { return .unknown }
        return values.dropFirst().reduce(first) { $0.united(with: $1) }
    }

    /// The types that parameters have as arguments.
    private static let argumentTypes: [Identifier: [ValueType?]] = [
        "substr": [.string, .int, .int], "substring": [.string, .int, .int], "round": [.double, .int],
        "instr": [.string, .string], "replace": [.string, .string, .string], "trim": [.string, .string],
        "ltrim": [.string, .string], "rtrim": [.string, .string], "lower": [.string], "upper": [.string],
        "length": [.string], "like": [.string, .string, .string], "glob": [.string, .string], "unicode": [.string],
        "json_extract": [.string, .string], "json_type": [.string, .string], "json_array_length": [.string, .string],
        "json_valid": [.string], "json": [.string], "zeroblob": [.int], "randomblob": [.int],
        "highlight": [nil, .int, .string, .string], "snippet": [nil, .int, .string, .string, .string, .int],
        "strftime": [.string, .string, .string, .string], "date": [.string, .string, .string],
        "time": [.string, .string, .string], "datetime": [.string, .string, .string],
        "julianday": [.string, .string, .string], "unixepoch": [.string, .string, .string], "soundex": [.string],
        "hex": [nil], "unhex": [.string],
    ]

    private static let textFunctions: Set<Identifier> = ["lower", "upper", "trim", "ltrim", "rtrim", "soundex", "json"]
    private static let never: Set<Identifier> = [
        "typeof", "quote", "hex", "char", "json_array", "json_object", "json_quote", "sqlite_version",
        "sqlite_source_id",
        "concat",
    ]
    private static let roots: Set<Identifier> = [
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "degrees", "exp", "ln", "log",
        "log10",
        "log2", "pow", "power", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "mod",
    ]

    private static func result(of call: FunctionCall, _ values: [Inference]) -> Inference {
        let isNullable = values.contains(where: \.isNullable)
        let first = values.first
        switch call.name {
        case _ where textFunctions.contains(call.name): return Inference(.string, isNullable: isNullable)
        case _ where never.contains(call.name): return Inference(.string, isNullable: false)
        case "pi": return Inference(.double, isNullable: false)
        case "julianday": return Inference(.double, isNullable: !call.isCertainTime)
        case _ where roots.contains(call.name): return Inference(.double, isNullable: true)
        case "length", "instr", "octet_length": return Inference(.int, isNullable: isNullable)
        case "json_array_length", "unicode": return Inference(.int, isNullable: true)
        case "substr", "substring":
            // That of an empty BLOB is NULL.
            let isBlob = first?.type == .data
            let isNullable = isNullable || isBlob
            return Inference(isBlob ? .data : first?.type == nil ? nil : .string, isNullable: isNullable)
        case "replace": return Inference(.string, isNullable: isNullable)
        case "round": return Inference(.double, isNullable: isNullable)
        case "abs", "ceil", "ceiling", "floor", "trunc":
            guard let first, first.isNumber else { return .unknown }
            return Inference(first.isInteger && first.type != .rowID ? .int : first.type, isNullable: first.isNullable)
        case "sign":
            return Inference(.int, isNullable: first.map { $0.isNullable || !$0.isNumber } ?? true)
        case "changes", "last_insert_rowid", "random", "total_changes":
            return Inference(call.name == "last_insert_rowid" ? .rowID : .int, isNullable: false)
        case "randomblob", "zeroblob": return Inference(.data, isNullable: call.name == "zeroblob" && isNullable)
        case "unhex": return Inference(.data, isNullable: true)
        case "like", "glob", "json_valid": return Inference(.bool, isNullable: isNullable)
        case "date", "datetime", "time", "strftime": return Inference(.string, isNullable: !call.isCertainTime)
        case "unixepoch": return Inference(.int, isNullable: !call.isCertainTime)
        case "printf", "format":
            // A format that writes nothing is NULL.
            guard case .text(let format)? = call.arguments.first, !format.isEmpty,
                !format.utf8.contains(UInt8(ascii: "n"))
            else { return Inference(.string, isNullable: true) }
            return Inference(.string, isNullable: false)
        case "json_type", "highlight", "snippet", "json_set", "json_insert", "json_replace", "json_remove",
            "json_patch",
            "concat_ws", "json_pretty":
            return Inference(.string, isNullable: true)
        case "bm25": return Inference(.double, isNullable: false)
        default: return .unknown
        }
    }
}
