extension Analysis {
    /// Infers an expression that is true or false.
    func predicate(_ expression: Expression, in scope: Scope) -> Inference {
        switch expression {
        case .and(let left, let right), .or(let left, let right):
            return bool([left, right].map { infer($0, in: scope, expecting: .bool) })
        case .not(let value): return bool([infer(value, in: scope, expecting: .bool)])
        case .equal(let left, let right, _):
            _ = operands(left, right, in: scope, allowsNull: true)
            return bool([])
        case .isNull(let value, _):
            _ = infer(value, in: scope, expecting: Expectation(allowsNull: true))
            return bool([])
        case .between(let value, let low, let high): return between(value, low, high, in: scope)
        case .like(let word, let value, let pattern, let escape):
            let type: ValueType? = word == "REGEXP" ? nil : .string
            var values = [value, pattern].map { infer($0, in: scope, expecting: type) }
            if let escape { values.append(infer(escape, in: scope, expecting: .string)) }
            return word == "REGEXP" || word == "MATCH" ? Inference(.bool, isNullable: true) : bool(values)
        case .inList(let value, let list): return among(value, list, in: scope)
        case .inParameter(let value, let name):
            let type = infer(value, in: scope)
            use(ParameterUse(parameter: name, type: type.type, allowsNull: false, isList: true))
            return bool([type])
        case .inSelect(let value, let select):
            let results = infer(select, in: scope)
            let type = infer(value, in: scope, expecting: results.first?.value.type)
            return bool([type] + results.map(\.value))
        case .inTable(let value):
            _ = infer(value, in: scope)
            return Inference(.bool, isNullable: true)
        case .exists(let select):
            _ = infer(select, in: scope)
            return bool([])
        default: return .unknown
        }
    }

    private func bool(_ operands: [Inference]) -> Inference {
        Inference(.bool, isNullable: operands.contains(where: \.isNullable))
    }

    private func between(_ value: Expression, _ low: Expression, _ high: Expression, in scope: Scope) -> Inference {
        if value.isParameter {
            let ends = [low, high].map { infer($0, in: scope) }
            let type = ends.compactMap(\.type).first
            return bool(ends + [infer(value, in: scope, expecting: type)])
        }
        let first = infer(value, in: scope)
        return bool([first] + [low, high].map { infer($0, in: scope, expecting: first.type) })
    }

    private func among(_ value: Expression, _ list: [Expression], in scope: Scope) -> Inference {
        // SQLite replaces `x IN ()` by 0 before it reads x.
        if list.isEmpty { return bool([]) }
        if case .row(let columns) = value {
            for case .row(let values) in list where values.count == columns.count {
                for (column, value) in zip(columns, values) { _ = operands(column, value, in: scope) }
            }
            return Inference(.bool, isNullable: true)
        }
        if value.isParameter {
            let values = list.map { infer($0, in: scope) }
            return bool(values + [infer(value, in: scope, expecting: values.compactMap(\.type).first)])
        }
        let first = infer(value, in: scope)
        return bool([first] + list.map { infer($0, in: scope, expecting: first.type) })
    }
}
