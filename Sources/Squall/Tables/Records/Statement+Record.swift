extension Statement {
    /// Binds fields of a record to the parameters from `index` on.
    @inlinable
    @inline(__always)
    func bindFields(_ binders: [FieldBinder], of record: UnsafeRawPointer, from index: Int32 = 1) throws {
        // The parameters hold the handle and the arena as pointers. Inlined, nothing else would keep the statement.
        defer { withExtendedLifetime(self) {} }
        var index = index
        for binder in binders {
            try binder.bind(record, BindingDestination(statement: handle, index: index, arena: arena))
            index &+= 1
        }
    }

    /// Binds fields of a record to all parameters, in two groups.
    @inlinable
    func bind<Record>(_ record: Record, _ binders: [FieldBinder], _ others: [FieldBinder] = []) throws {
        try beginBinding(count: binders.count + others.count)
        try withUnsafePointer(to: record) { record in
            try bindFields(binders, of: record)
            if !others.isEmpty { try bindFields(others, of: record, from: Int32(binders.count + 1)) }
        }
    }
}

extension Connection {
    /// Runs a closure with a statement of the cache, which has no values bound yet. The statement is returned to the cache
    /// reset and without values, also when the closure throws.
    @inlinable
    @inline(__always)
    func withUnboundStatement<Result>(_ sql: SQL, body: (Statement) throws -> Result) throws -> Result {
        let entry = try borrow(sql)
        defer { self.return(entry) }
        return try body(entry.statement)
    }

    /// Runs a statement of the cache with fields of a record.
    @inlinable
    func run<Record>(
        _ sql: SQL, with record: Record, _ binders: [FieldBinder], _ others: [FieldBinder] = []
    ) throws {
        try withUnboundStatement(sql) { statement in
            try statement.bind(record, binders, others)
            try statement.run()
        }
    }
}
