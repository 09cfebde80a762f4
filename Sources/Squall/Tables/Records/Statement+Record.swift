extension Statement {
    /// Binds fields of a record to the parameters from `index` on.
    @inlinable
    @inline(__always)
    func bindFields<Record>(
        _ writers: [FieldWriter<Record>], of record: UnsafePointer<Record>, from index: Int32 = 1
    ) throws {
        // The parameters hold the handle and the arena as pointers. Inlined, nothing else would keep the statement.
        defer { withExtendedLifetime(self) {} }
        var index = index
        for writer in writers {
            try writer.bind(record, SQLiteParameter(statement: handle, index: index, arena: arena))
            index &+= 1
        }
    }

    /// Binds a record, or more of its fields, and runs the statement.
    @inlinable
    func run<Record>(
        _ record: Record, _ writers: [FieldWriter<Record>], _ others: [FieldWriter<Record>] = []
    ) throws {
        try beginBinding(count: writers.count + others.count)
        try withUnsafePointer(to: record) { record in
            try bindFields(writers, of: record)
            if !others.isEmpty { try bindFields(others, of: record, from: Int32(writers.count + 1)) }
        }
        try run()
    }
}

extension Connection {
    /// Runs a statement of the cache with the fields of a record. It comes back from there without values, whatever happened.
    @inlinable
    func run<Record>(
        _ sql: SQL, with record: Record, _ writers: [FieldWriter<Record>], _ others: [FieldWriter<Record>] = []
    ) throws {
        let entry = try borrow(sql)
        defer { self.return(entry) }
        try entry.statement.run(record, writers, others)
    }
}
