extension Analysis {
    /// Infers a call of a function.
    func infer(_ call: FunctionCall, in scope: Scope, expecting expectation: Expectation) -> Inference {
        if let filter = call.filter { _ = infer(filter, in: scope) }
        var window: WindowDefinition?
        switch call.window {
        case .named(let name):
            window = scope.windows[name] ?? WindowDefinition(base: nil, expressions: [], hasFrame: true)
        case .defined(let definition): window = definition
        case nil: break
        }
        for expression in window?.expressions ?? [] { _ = infer(expression, in: scope) }
        if let window, let result = infer(windowFunction: call, hasFrame: hasFrame(window, in: scope), in: scope) {
            return result
        }
        if call.isAggregate || window != nil && Expression.aggregates.contains(call.name) {
            return infer(aggregate: call, window: window, in: scope)
        }
        if let result = declared(call, in: scope) { return result }
        return infer(scalar: call, in: scope, expecting: expectation)
    }

    private func hasFrame(_ window: WindowDefinition, in scope: Scope) -> Bool {
        guard !window.hasFrame, let base = window.base else { return window.hasFrame }
        return scope.windows[base]?.hasFrame ?? true
    }

    /// Infers a call of a function that a comment declares.
    private func declared(_ call: FunctionCall, in scope: Scope) -> Inference? {
        guard let forms = catalog.functions[call.name] else { return nil }
        let form = forms.first { $0.arguments == nil || $0.arguments?.count == call.arguments.count }
        for (index, argument) in call.arguments.enumerated() {
            let type = form?.arguments.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            _ = infer(argument, in: scope, expecting: type)
        }
        return form.map { Inference($0.result, isNullable: $0.resultIsOptional) }
    }

    // MARK: Aggregates

    /// Infers an aggregate, of a group or of the rows of a window.
    private func infer(aggregate call: FunctionCall, window: WindowDefinition?, in scope: Scope) -> Inference {
        let owner = window == nil ? scope.owner(of: call.arguments + [call.filter ?? .null]) : scope
        if window == nil { owner.noteAggregate() }
        // An aggregate reads no row of an empty group. That of a window is computed afterwards, for the row of the group.
        owner.aggregateDepth += window == nil ? 1 : 0
        let arguments = ofOtherRows(owner) { call.arguments.map { infer($0, in: scope) } }
        owner.aggregateDepth -= window == nil ? 1 : 0
        let first = arguments.first ?? .unknown
        // The default frame of a window has at least the current row; a group has at least one.
        let canBeEmpty =
            call.filter != nil || (window.map { hasFrame($0, in: scope) } ?? owner.canBeEmptyGroup)
        let isNullable = canBeEmpty || first.isNullable
        switch call.name {
        case "count": return Inference(.int, isNullable: false)
        case "sum":
            guard first.isNumber else { return .unknown }
            // Infinity and minus infinity have no sum.
            return first.isInteger ? Inference(.int, isNullable: isNullable) : Inference(.double, isNullable: true)
        case "avg": return Inference(.double, isNullable: isNullable || !first.isInteger)
        case "total": return Inference(.double, isNullable: !first.isInteger)
        case "min", "max": return Inference(first.type, isNullable: isNullable)
        case "group_concat", "string_agg":
            return Inference(.string, isNullable: isNullable || arguments.dropFirst().contains { $0.isNullable })
        default: return Inference(.string, isNullable: window != nil)
        }
    }

    private func infer(windowFunction call: FunctionCall, hasFrame: Bool, in scope: Scope) -> Inference? {
        switch call.name {
        case "row_number", "rank", "dense_rank", "ntile":
            for argument in call.arguments { _ = infer(argument, in: scope, expecting: .int) }
            return Inference(.int, isNullable: false)
        case "percent_rank", "cume_dist": return Inference(.double, isNullable: false)
        case "lag", "lead":
            let values = argumentsOfOtherRows(call, in: scope)
            let first = values.first ?? .unknown
            return values.count == 3 ? first.united(with: values[2]) : first.derived(isNullable: true)
        case "first_value", "last_value", "nth_value":
            let first = argumentsOfOtherRows(call, in: scope).first ?? .unknown
            return first.derived(isNullable: first.isNullable || hasFrame || call.name == "nth_value")
        default: return nil
        }
    }

    /// Infers the arguments of a window function that reads other rows than the current one.
    private func argumentsOfOtherRows(_ call: FunctionCall, in scope: Scope) -> [Inference] {
        ofOtherRows(scope) {
            call.arguments.enumerated().map { infer($1, in: scope, expecting: $0 == 1 ? .int : nil) }
        }
    }

    /// Infers values of other rows than the one for which the condition of a CASE is true.
    private func ofOtherRows<Result>(_ scope: Scope, _ body: () -> Result) -> Result {
        let proven = scope.notNullInBranch
        scope.notNullInBranch = []
        defer { scope.notNullInBranch = proven }
        return body()
    }
}
