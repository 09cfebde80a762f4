extension BindingDestination {
    /// Binds fields of the record at an address to this parameter and the next ones.
    mutating func bindFields(_ binders: [FieldBinder], of record: UnsafeRawPointer) throws {
        for binder in binders {
            try binder.bind(record, to: self)
            index &+= 1
        }
    }
}

extension Statement {
    /// Binds fields of the record at an address to the parameters from `index` on.
    func bindFields(_ binders: [FieldBinder], of record: UnsafeRawPointer, from index: Int32 = 1) throws {
        var parameter = parameter(index)
        try parameter.bindFields(binders, of: record)
    }

    /// Binds fields of a record to all parameters.
    func bind<Record>(_ record: Record, _ binders: [FieldBinder]) throws {
        try beginBinding(count: binders.count)
        try withUnsafePointer(to: record) { try bindFields(binders, of: $0) }
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

    /// Runs a statement of the cache with fields of a record, in two groups.
    @inlinable
    func run<Record>(
        _ sql: SQL, with record: Record, _ binders: [FieldBinder], _ others: [FieldBinder] = []
    ) throws {
        try withUnsafePointer(to: record) { try run(sql, withFieldsAt: $0, binders, others) }
    }

    @usableFromInline
    func run(
        _ sql: SQL, withFieldsAt record: UnsafeRawPointer, _ binders: [FieldBinder], _ others: [FieldBinder]
    ) throws {
        let entry = try borrow(sql, count: binders.count + others.count)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindFields(binders, of: record)
        if !others.isEmpty { try parameter.bindFields(others, of: record) }
        try entry.run()
    }
}
