import CSQLite

// Every `bind` resets the statement and gives all its parameters new values. Positional values must be as many as the
// parameters. Values by name may leave parameters out, which are then NULL.

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

    /// Binds values to the parameters, in order.
    @discardableResult
    public func bind(_ parameters: [(any Bindable)?]) throws -> Statement {
        try beginBinding(count: parameters.count)
        do {
            for (index, parameter) in parameters.enumerated() {
                try bindAny(parameter, at: Int32(index + 1))
            }
        } catch {
            clear()
            throw error
        }
        return self
    }

    /// Binds values to the parameters of these names, prefix included: `":id"`, `"@id"`, `"$id"`, `"?1"`. Parameters that
    /// are not named become NULL.
    ///
    /// - Throws: ``SQLiteError`` for a name that no parameter has, and as the other forms do.
    @discardableResult
    public func bind(_ parameters: [String: (any Bindable)?]) throws -> Statement {
        try beginBinding(count: nil)
        clear()
        do {
            for (name, parameter) in parameters {
                let index = sqlite3_bind_parameter_index(handle, name)
                guard index > 0, !name.utf8.contains(0) else {
                    throw SQLiteError.misuse("Bind could not find index for key: '\(name)'", sql: sql)
                }
                try bindAny(parameter, at: index)
            }
        } catch {
            clear()
            throw error
        }
        return self
    }

    /// Binds the values that were interpolated into SQL.
    @usableFromInline
    func bind(_ sql: SQL) throws {
        var count = 0
        for case .value in sql.tail { count += 1 }
        try beginBinding(count: count)
        var index: Int32 = 0
        do {
            for case .value(let value) in sql.tail { try bindNext(value, after: &index) }
        } catch {
            clear()
            throw error
        }
    }

    /// Makes all parameters NULL, so that what fails in the middle leaves no old values beside new ones.
    @usableFromInline
    func clear() {
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
            throw SQLiteError.misuse("Bind expected \(parameterCount) parameters, instead received \(count)", sql: sql)
        }
        // From here on every parameter is bound anew, or cleared. (What is bound may ask for the old values meanwhile.)
        if let arena {
            if arena.pointee.freesMemory { sqlite3_clear_bindings(handle) }
            arena.pointee.reset()
        }
    }

    @inlinable
    @inline(__always)
    func bindNext(_ value: some StatementParameter, after index: inout Int32) throws {
        index += 1
        try value.bind(to: SQLiteParameter(statement: handle, index: index, arena: arena))
    }

    private func bindAny(_ value: (any Bindable)?, at index: Int32) throws {
        let parameter = SQLiteParameter(statement: handle, index: index, arena: arena)
        if let value { try value.bind(to: parameter) } else { try parameter.bindNull() }
    }
}
