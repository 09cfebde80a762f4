extension Connection {
    /// Inserts many records, all or none of them, many with a statement: `INSERT INTO "users"("id", "name") VALUES(?, ?),
    /// (?, ?), …`.
    ///
    /// They go into one transaction; within one that is open already, into a savepoint.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @inlinable
    public func insert<Record: TableRecord>(contentsOf records: some Sequence<Record>) throws {
        try insert(contentsOf: records, into: Record.table)
    }

    /// Inserts many records into a table, all or none of them.
    @inlinable
    public func insert<T: RecordTable>(contentsOf records: some Sequence<T.Record>, into table: T) throws {
        let core = table.core
        try core.check()
        try inScope {
            var insertion = try BulkInsertion(self, core)
            defer { insertion.end() }
            let isDone: Void? = try records.withContiguousStorageIfAvailable { try insertion.insert($0) }
            if isDone != nil { return }
            var chunk: [T.Record] = []
            chunk.reserveCapacity(insertion.rowsPerSavepoint)
            for record in records {
                chunk.append(record)
                guard chunk.count == insertion.rowsPerSavepoint else { continue }
                try chunk.withUnsafeBufferPointer { try insertion.insert($0) }
                chunk.removeAll(keepingCapacity: true)
            }
            try chunk.withUnsafeBufferPointer { try insertion.insert($0) }
        }
    }

    /// Runs a closure in a transaction, or in a savepoint of the one that is open.
    @usableFromInline
    func inScope(_ body: () throws -> Void) throws {
        if isInTransaction {
            try savepoint(named: "squall_insert", closure: body)
        } else {
            try transaction(transactionType: .immediate, closure: body)
        }
    }
}
