extension SQL {
    /// Returns this SQL with values in place of the parameters that are written in it.
    ///
    ///     try SQL("SELECT name FROM cars WHERE price > ?").giving(20_000)
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) for another number of values than of parameters, and if values are
    ///   interpolated as well; the error of a value that cannot be stored.
    package func giving<each P: StatementParameter>(_ values: repeat each P) throws -> SQL {
        var list: [BindingValue] = []
        repeat list.append(try BindingValue(of: each values))
        return try list.isEmpty ? self : giving(list)
    }

    /// Returns this SQL with the values of a list in place of the parameters that are written in it.
    ///
    /// - Throws: As ``giving(_:)-(_)``; ``SQLiteError`` also for a name that no parameter has, and a parameter without a value.
    package func giving(_ values: ListedValues) throws -> SQL {
        switch values.content {
        case .inOrder(let values): try giving(values.map { try BindingValue(of: $0) })
        case .byName(let values, _): try giving(values.mapValues { try BindingValue(of: $0) })
        }
    }

    func giving(_ values: [BindingValue]) throws -> SQL {
        let parameters = try writtenParameters()
        let count = parameters.map(\.number).max() ?? 0
        guard count == values.count else {
            throw SQLiteError.misuse(.parameterCount(expected: count, given: values.count), sql: text)
        }
        return replacing(parameters) { values[$0.number - 1] }
    }

    private func giving(_ values: [String: BindingValue]) throws -> SQL {
        let parameters = try writtenParameters()
        // By their bytes, as SQLite compares names.
        let names = Set(parameters.compactMap { $0.name.map { Array($0.utf8) } })
        let prefixes = [UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$")]
        var named: [[UInt8]: BindingValue] = [:]
        for (name, value) in values {
            // A name with its prefix is that one parameter.
            let exact = Array(name.utf8)
            let found = names.contains(exact) ? [exact] : prefixes.map { [$0] + exact }.filter(names.contains)
            if found.isEmpty {
                throw SQLiteError.misuse(
                    .unknownParameter(name: name), sql: text, hint: Self.hint(for: parameters.compactMap(\.name)))
            }
            for parameter in found where named.updateValue(value, forKey: parameter) != nil {
                let name = String(decoding: parameter, as: UTF8.self)
                throw SQLiteError.misuse(.repeatedParameter(name: name), sql: text)
            }
        }
        return try replacing(parameters) { parameter in
            guard let name = parameter.name else { throw SQLiteError.misuse(.unnamedParameter, sql: text) }
            guard let value = named[Array(name.utf8)] else {
                throw SQLiteError.misuse(.missingParameter(name: name), sql: text)
            }
            return value
        }
    }

    /// Returns the hint of an error that names a parameter that the SQL does not have. The names may be repeated.
    static func hint(for names: [String]) -> String? {
        let list = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element).joined(separator: ", ")
        return list.isEmpty ? nil : "the parameters of the SQL are \(list)"
    }

    private struct WrittenParameter {
        let range: Range<Int>
        /// The number that SQLite gives to the parameter, from 1.
        let number: Int
        /// The name with its prefix, the first one of its number; `nil` for `?`.
        let name: String?
    }

    /// Finds the parameters and numbers them as SQLite does: `?` is one more than the greatest number so far.
    ///
    /// A number that SQLite refuses, as in `?0`, stays in the text.
    private func writtenParameters() throws -> [WrittenParameter] {
        guard !hasValues else { throw SQLiteError.misuse(.parameterBesideValues, sql: text) }
        let bytes = Array(text.utf8)
        var parameters: [WrittenParameter] = []
        // By its bytes: SQLite does not treat equivalent characters as equal.
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        var names: [Int: String?] = [:]
        var last = 0
        for case let range in SQLTokenizer(text).lazy.filter({ $0.kind == .parameter }).map(\.range) {
            let parameter = String(decoding: bytes[range], as: UTF8.self)
            let isNumbered = bytes[range.lowerBound] == UInt8(ascii: "?")
            let digits = isNumbered ? parameter.dropFirst() : ""
            let written = isNumbered ? Int(digits) : numbers[bytes[range]]
            if written == 0 || written == nil && !digits.isEmpty { continue }
            let number = written ?? last + 1
            last = max(last, number)
            if !isNumbered { numbers[bytes[range]] = number }
            let name = names[number] ?? (parameter == "?" ? nil : parameter)
            names[number] = .some(name)
            parameters.append(WrittenParameter(range: range, number: number, name: name))
        }
        return parameters
    }

    private func replacing(
        _ parameters: [WrittenParameter], by value: (WrittenParameter) throws -> BindingValue
    ) rethrows -> SQL {
        let bytes = Array(text.utf8)
        var result = SQL(raw: "")
        var end = 0
        for parameter in parameters {
            result.append(String(decoding: bytes[end..<parameter.range.lowerBound], as: UTF8.self))
            result.append(try value(parameter))
            end = parameter.range.upperBound
        }
        result.append(String(decoding: bytes[end...], as: UTF8.self))
        if let failure { result.fail(failure) }
        return result
    }
}

extension BindingValue {
    /// Makes the value that a parameter binds: NULL for `nil`.
    init(of parameter: some StatementParameter) throws {
        self = try (parameter as? any Bindable)?.checkedBindingValue() ?? .null
    }

    fileprivate init(of value: (any Bindable)?) throws {
        self = try value?.checkedBindingValue() ?? .null
    }
}
