import SquallSQLite

// Every `bind` resets the statement and gives all its parameters new values. Positional values must be as many as the
// parameters, and values by name must name them all.

extension Statement {
    /// Binds values to the parameters, in order.
    ///
    /// - Throws: ``SQLiteError`` for a wrong number of values, a NaN, or a value over SQLite's length limit; what a type
    ///   throws that cannot be written.
    @inlinable
    @discardableResult
    public func bind<each P: StatementParameter>(_ parameters: repeat each P) throws -> Statement {
        var count = 0
        for _ in repeat (each P).self { count += 1 }
        try beginBinding(count: count)
        // The parameters hold the handle and the arena as pointers. Inlined, nothing else would keep the statement.
        defer { withExtendedLifetime(self) {} }
        var index: Int32 = 0
        do {
            repeat try bindNext(each parameters, after: &index)
        } catch {
            clear()
            throw error
        }
        return self
    }

    /// Binds values of which some are a literal `nil`, or of a type known only when the program runs.
    @discardableResult
    public func bind(_ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> Statement {
        try bind(([first] + others).map { $0 ?? nil })
    }

    /// Binds a list of values: an array in order, a dictionary by the names of the parameters.
    ///
    ///     try statement.bind([1, "Audi", nil])
    ///     try statement.bind(["id": 1, "name": "Audi"])
    ///
    /// The name is `"id"` for `:id`, `@id` and `$id`, or the name with its prefix, which `?1` always needs. Every parameter must
    /// have a value; `nil` is NULL.
    ///
    /// - Throws: ``SQLiteError`` for a wrong number of values, a name that no parameter has, and a parameter without a value;
    ///   otherwise as for values one after the other.
    @discardableResult
    public func bind(_ list: some ParameterList) throws -> Statement {
        switch list.parameterValues.content {
        case .inOrder(let values): try bindInOrder(values)
        case .byName(let values): try bindByName(values)
        }
        return self
    }

    private func bindInOrder(_ parameters: [(any Bindable)?]) throws {
        try beginBinding(count: parameters.count)
        do {
            for (index, parameter) in parameters.enumerated() {
                try bindAny(parameter, at: Int32(index + 1))
            }
        } catch {
            clear()
            throw error
        }
    }

    private func bindByName(_ parameters: [String: (any Bindable)?]) throws {
        try beginBinding(count: nil)
        sqlite3_clear_bindings(handle)
        do {
            var isBound = Array(repeating: false, count: parameterCount)
            for (name, parameter) in parameters {
                for index in try indices(named: name) {
                    guard !isBound[Int(index - 1)] else {
                        let full = parameterNames[Int(index - 1)] ?? name
                        throw SQLiteError.misuse(.repeatedParameter(name: full), sql: sql)
                    }
                    isBound[Int(index - 1)] = true
                    try bindAny(parameter, at: index)
                }
            }
            if let missing = isBound.firstIndex(of: false) { try checkUnnamed(isBound, from: missing) }
        } catch {
            clear()
            throw error
        }
    }

    /// The numbers of the parameters of a name, which may be without its prefix.
    private func indices(named name: String) throws -> [Int32] {
        if !name.utf8.contains(0) {
            let exact = sqlite3_bind_parameter_index(handle, name)
            if exact > 0 { return [exact] }
            let found = [":", "@", "$"].map { sqlite3_bind_parameter_index(handle, $0 + name) }.filter { $0 > 0 }
            if !found.isEmpty { return found }
        }
        let names = parameterNames.compactMap { $0 }.joined(separator: ", ")
        throw SQLiteError.misuse(
            .unknownParameter(name: name), sql: sql,
            hint: names.isEmpty ? nil : "the parameters of the SQL are \(names)"
        )
    }

    /// Throws for a parameter without a value. A number that the SQL leaves out, as `?9` alone does eight, is no parameter.
    private func checkUnnamed(_ isBound: [Bool], from first: Int) throws {
        let names = parameterNames
        if let name = (first..<names.count).lazy.compactMap({ isBound[$0] ? nil : names[$0] }).first {
            throw SQLiteError.misuse(.missingParameter(name: name), sql: sql)
        }
        var scanner = ParameterScanner(sql)
        while let parameter = scanner.next() {
            guard parameter.count == 1 else { continue }
            throw SQLiteError.misuse(
                .unnamedParameter, sql: sql,
                hint: "give every parameter a name, or pass the values in order"
            )
        }
    }

    /// Binds the values that were interpolated into SQL.
    @usableFromInline
    func bind(_ sql: SQL) throws {
        let count = sql.parameterCount
        // As many values as parameters, and no other `?`: each `?` of the text is a value. (It is not looked for again.)
        if count == parameterCount, hasPlainParameters ?? findPlainParameters() {
            return try bindValues(of: sql, count)
        }
        let fitted = connection.fitted(sql)
        try fitted.checkPlaces()
        try bindValues(of: fitted, fitted.parameterCount)
    }

    @inline(never)
    private func findPlainParameters() -> Bool {
        let marks = sql.utf8.reduce(0) { $1 == UInt8(ascii: "?") ? $0 + 1 : $0 }
        let isPlain = marks == parameterCount && parameterNames.allSatisfy { $0 == nil }
        hasPlainParameters = isPlain
        return isPlain
    }

    @inline(__always)
    private func bindValues(of sql: SQL, _ count: Int) throws {
        try beginBinding(count: count)
        var index: Int32 = 0
        do {
            for piece in sql.tail {
                switch piece {
                case .text: break
                case .value(let value): try bindNext(value, after: &index)
                case .list(let values, let count):
                    for value in values { try bindNext(value, after: &index) }
                    guard let last = values.last else { break }
                    for _ in values.count..<count { try bindNext(last, after: &index) }
                }
            }
        } catch {
            clear()
            throw error
        }
    }

    /// Makes all parameters NULL when a `bind` fails, so that no old values are left beside new ones, and keeps the statement
    /// from running until another `bind` succeeds.
    @usableFromInline
    func clear() {
        lacksValues = parameterCount > 0 && sqlite3_stmt_isexplain(handle) == 0
        sqlite3_clear_bindings(handle)
        arena?.pointee.reset()
    }

    @usableFromInline
    func beginBinding(count: Int?) throws {
        if unmanagedConnection._withUnsafeGuaranteedRef({ $0.openHandle == nil }) {
            _ = try connection.requireHandle(sql: sql)
        }
        try reset()
        if let count, count != parameterCount {
            clear()
            throw SQLiteError.misuse(.parameterCount(expected: parameterCount, given: count), sql: sql)
        }
        // From here on every parameter is bound again, or cleared. A value that is being bound may read the old ones.
        lacksValues = false
        if let arena {
            if arena.pointee.freesMemory { sqlite3_clear_bindings(handle) }
            arena.pointee.reset()
        }
    }

    /// The error of a statement that is run before its parameters have values.
    var missingValuesError: SQLiteError {
        .misuse(
            .unboundParameters(count: parameterCount), sql: sql,
            hint: "call `bind` before, again after one that has thrown; `nil` is NULL"
        )
    }

    @inlinable
    @inline(__always)
    func bindNext(_ value: some StatementParameter, after index: inout Int32) throws {
        index += 1
        try value.bindOrNull(to: SQLiteParameter(statement: handle, index: index, arena: arena))
    }

    private func bindAny(_ value: (any Bindable)?, at index: Int32) throws {
        let parameter = SQLiteParameter(statement: handle, index: index, arena: arena)
        if let value { try value.bindOrNull(to: parameter) } else { try parameter.bindNull() }
    }
}

extension Connection {
    /// SQL whose lists for `IN` are as long as the limit of the connection allows.
    func fitted(_ sql: SQL) -> SQL {
        guard sql.hasLists, let handle else { return sql }
        return sql.fitted(to: Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)))
    }
}
