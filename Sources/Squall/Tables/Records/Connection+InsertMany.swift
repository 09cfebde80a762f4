extension Connection {
    /// Inserts many records, all or none of them, with many rows in a statement:
    /// `INSERT INTO "users"("id", "name") VALUES(?, ?), (?, ?), …`.
    ///
    /// They are inserted in one transaction, or in a savepoint when a transaction is open already.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @inlinable
    public func insert<Record: TableRecord>(contentsOf records: some Sequence<Record>) throws {
        try table(Record.table).insert(contentsOf: records)
    }

    /// Runs a closure with a statement of the cache, in a transaction, or in a savepoint when one is open already.
    @usableFromInline
    func inScope<Result>(_ sql: SQL, _ body: (Statement) throws -> Result) throws -> Result {
        let run = { try self.withUnboundStatement(sql, body: body) }
        if isInTransaction {
            return try savepoint(named: "squall_insert", closure: run)
        } else {
            return try transaction(transactionType: .immediate, closure: run)
        }
    }
}

extension Connection.TableAccess {
    /// Inserts many records, all or none of them, with many rows in a statement:
    /// `INSERT INTO "points"("x", "y") VALUES(?, ?), (?, ?), …`.
    ///
    /// They are inserted in one transaction, or in a savepoint when a transaction is open already.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    @inlinable
    public func insert(contentsOf records: some Sequence<Record>) throws {
        try core.check()
        try insert(records, core.insertion)
    }

    /// Inserts many records, all or none of them.
    ///
    /// - Returns: The number of rows that were inserted or updated.
    @inlinable
    @discardableResult
    func insert(_ records: some Sequence<Record>, _ sql: RecordInsertSQL) throws -> Int {
        try connection.inScope(sql.single) { single in
            var insertion = BulkInsertion(connection, core, sql, single: single)
            let isDone: Void? = try records.withContiguousStorageIfAvailable { try insertion.insert($0) }
            if isDone != nil { return insertion.changedRows }
            var chunk: [Record] = []
            chunk.reserveCapacity(insertion.rowsPerSavepoint)
            for record in records {
                chunk.append(record)
                guard chunk.count == insertion.rowsPerSavepoint else { continue }
                try chunk.withUnsafeBufferPointer { try insertion.insert($0) }
                chunk.removeAll(keepingCapacity: true)
            }
            try chunk.withUnsafeBufferPointer { try insertion.insert($0) }
            return insertion.changedRows
        }
    }
}

/// An error for the record because of which none of many was inserted.
public struct InsertionError: ErrorWithReason, CustomStringConvertible {
    /// The number of the record, from 0.
    public let index: Int

    /// The error: a ``SQLiteError``, or one that the type of a value throws.
    public let reason: any Error

    @_documentation(visibility: internal)
    public var description: String { "record \(index): \(reason)" }
}
