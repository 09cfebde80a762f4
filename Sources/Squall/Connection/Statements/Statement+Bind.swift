import SquallSQLite

// Every `bind` resets the statement and gives all its parameters new values. There must be one positional value for
// each parameter, and values by name must name all parameters.

extension Statement {
    /// Binds values to the parameters, in order.
    ///
    /// - Throws: ``SQLiteError`` for a wrong number of values, a NaN, or a value over SQLite's length limit; the error
    ///   of a value that cannot be converted.
    @inlinable
    @discardableResult
    public func bind<each P: StatementParameter>(_ parameters: repeat each P) throws -> Statement {
        try bindEach(count: packCount(repeat (each P).self)) { parameter in
            repeat try parameter.bindNext(each parameters)
        }
        return self
    }

    /// Binds values to the parameters, in order: for a literal `nil`, and for values whose type is known only at run
    /// time.
    ///
    /// - Throws: ``SQLiteError`` for a wrong number of values, a NaN, or a value over SQLite's length limit; the error
    ///   of a value that cannot be converted.
    @discardableResult
    public func bind(_ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> Statement {
        try bind(([first] + others).flattened)
    }

    /// Binds a list of values: an array in order, a dictionary by the names of the parameters.
    ///
    ///     try statement.bind([1, "Audi", nil])
    ///     try statement.bind(["id": 1, "name": "Audi"])
    ///
    /// The name is `"id"` for `:id`, `@id` and `$id`, or the name with its prefix, which `?1` always needs. Every parameter
    /// must have a value; `nil` is NULL.
    ///
    /// - Throws: ``SQLiteError`` for a wrong number of values, a name that no parameter has, a parameter without a value, a
    ///   NaN, or a value over SQLite's length limit; the error of a value that cannot be converted.
    @discardableResult
    public func bind(_ list: some ParameterList) throws -> Statement {
        try bind(list.listedValues)
    }

    /// Binds values of one type to the parameters, in order: for rows whose number of columns is known only at run time.
    ///
    ///     let values: [BindingValue] = [.integer(1), .text("Audi"), .null]
    ///     try statement.bind(contentsOf: values).run()
    ///
    /// - Throws: ``SQLiteError`` for a wrong number of values, a NaN, or a value over SQLite's length limit; the error
    ///   of a value that cannot be converted.
    @inlinable
    @discardableResult
    public func bind<Value: StatementParameter>(contentsOf values: [Value]) throws -> Statement {
        try bindEach(count: values.count) { parameter in
            for value in values { try parameter.bindNext(value) }
        }
        return self
    }

    @discardableResult
    func bind(_ values: ListedValues) throws -> Statement {
        switch values.content {
        case .inOrder(let values): try bindInOrder(values)
        case .byName(let values, let missingIsNull): try bindByName(values, missingIsNull: missingIsNull)
        }
        return self
    }

    private func bindInOrder(_ parameters: [(any Bindable)?]) throws {
        try bindEach(count: parameters.count) { parameter in
            for value in parameters { try parameter.bindNext(any: value) }
        }
    }

    private func bindByName(_ parameters: [String: (any Bindable)?], missingIsNull: Bool) throws {
        try bindEach(count: nil) { parameter in
            sqlite3_clear_bindings(handle)
            var isBound = Array(repeating: false, count: parameterCount)
            for (name, value) in parameters {
                for index in try indices(named: name) {
                    guard !isBound[Int(index - 1)] else {
                        let full = parameterNames[Int(index - 1)] ?? name
                        throw SQLiteError.misuse(.repeatedParameter(name: full), sql: sql)
                    }
                    isBound[Int(index - 1)] = true
                    parameter.index = index
                    try parameter.bindNext(any: value)
                }
            }
            if !missingIsNull, let missing = isBound.firstIndex(of: false) { try checkUnnamed(isBound, from: missing) }
        }
    }

    /// Returns the numbers of the parameters with a name, which may lack its prefix.
    private func indices(named name: String) throws -> [Int32] {
        if !name.utf8.contains(0) {
            let exact = sqlite3_bind_parameter_index(handle, name)
            if exact > 0 { return [exact] }
            let found = [":", "@", "$"].map { sqlite3_bind_parameter_index(handle, $0 + name) }.filter { $0 > 0 }
            if !found.isEmpty { return found }
        }
        throw SQLiteError.misuse(
            .unknownParameter(name: name), sql: sql, hint: SQL.hint(for: parameterNames.compactMap(\.self)))
    }

    /// Throws if a parameter has no value. A number that the SQL skips is not a parameter: `?9` alone skips eight.
    private func checkUnnamed(_ isBound: [Bool], from first: Int) throws {
        let names = parameterNames
        if let name = (first..<names.count).lazy.compactMap({ isBound[$0] ? nil : names[$0] }).first {
            throw SQLiteError.misuse(.missingParameter(name: name), sql: sql)
        }
        // `?` alone.
        for token in SQLTokenizer(sql) where token.kind == .parameter && token.range.count == 1 {
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
        // With as many values as parameters and no other `?`, each `?` of the text is a value. The text is searched
        // once.
        if count == parameterCount, hasPlainParameters ?? findPlainParameters() {
            return try bindValues(of: sql, count)
        }
        let fitted = connection.fitted(sql)
        try fitted.checkValueOffsets()
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
        try bindEach(count: count) { parameter in
            for piece in sql.tail {
                switch piece {
                case .text: break
                case .value(let value): try parameter.bindNext(value)
                case .table(let table): try parameter.bindNext(SQLParameter.table(table))
                case .list(let values, let count):
                    for value in values { try parameter.bindNext(value) }
                    guard let last = values.last else { break }
                    for _ in values.count..<count { try parameter.bindNext(last) }
                }
            }
        }
    }

    /// Resets the statement and calls a closure that binds all parameters, from the first one on.
    @inlinable
    @inline(__always)
    func bindEach(count: Int?, _ bind: (inout BindingDestination) throws -> Void) throws {
        try beginBinding(count: count)
        // The parameters refer to the handle and the arena by pointers. After inlining, nothing else would keep the
        // statement.
        defer { withExtendedLifetime(self) {} }
        var parameter = parameter(1)
        do {
            try bind(&parameter)
        } catch {
            clear()
            throw error
        }
    }

    /// Sets all parameters to NULL after a `bind` that failed, so that old values do not remain beside new ones. The
    /// statement cannot run until a `bind` succeeds.
    @usableFromInline
    func clear() {
        lacksValues = needsValues
        sqlite3_clear_bindings(handle)
        arena?.pointee.reset()
    }

    /// Ends the use of the values, in a statement that returns to the cache. It cannot run until a `bind` succeeds.
    ///
    /// Small values stay bound to the arena until then. Clearing them takes 3 % of an insert of six values (callgrind,
    /// 2026-11-23).
    func dropValues() {
        if arena?.pointee.holdsLargeValues == true { clear() } else { lacksValues = needsValues }
    }

    @usableFromInline
    func beginBinding(count: Int?) throws {
        if unmanagedConnection._withUnsafeGuaranteedRef({ $0.openHandle == nil }) {
            _ = try connection.requireHandle(sql: sql)
        }
        try reset()
        try beginBindingAfterReset(count: count)
    }

    /// Begins to bind the parameters of a statement that is reset, as a statement of the cache is.
    @inline(__always)
    func beginBindingAfterReset(count: Int?) throws {
        if let count, count != parameterCount {
            clear()
            throw SQLiteError.misuse(.parameterCount(expected: parameterCount, given: count), sql: sql)
        }
        // From here on, every parameter is bound again or cleared. Code that converts a value can still read the old
        // values.
        lacksValues = false
        if let arena {
            if arena.pointee.freesMemory { sqlite3_clear_bindings(handle) }
            arena.pointee.reset()
        }
    }

    /// Lets the statement run before its parameters have values, which are then NULL: for SQiftCompatibility.
    package func treatMissingValuesAsNull() {
        needsValues = false
        lacksValues = false
    }

    /// The error of a statement that is run before its parameters have values.
    var missingValuesError: SQLiteError {
        .misuse(
            .unboundParameters(count: parameterCount), sql: sql,
            hint: "call `bind` first, and again after one that has thrown; `nil` is NULL"
        )
    }

    /// Returns a parameter, by its number from 1. It is valid while the statement is used.
    @inlinable
    @inline(__always)
    func parameter(_ index: Int32) -> BindingDestination {
        BindingDestination(statement: handle, index: index, arena: arena)
    }
}

extension BindingDestination {
    fileprivate mutating func bindNext(any value: (any Bindable)?) throws {
        if let value { try bindNext(value) } else { try bindNext(nil as Int?) }
    }
}

extension Connection {
    /// Returns SQL whose lists for `IN` fit the connection's limit.
    func fitted(_ sql: SQL) -> SQL {
        guard sql.hasLists, let handle else { return sql }
        return sql.fitted(to: Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)))
    }
}
