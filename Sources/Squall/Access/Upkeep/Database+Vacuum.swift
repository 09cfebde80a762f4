extension Database {
    /// Rebuilds the database without free pages and fragmentation: `VACUUM "main"`. Writes wait; reads continue.
    ///
    /// In WAL mode, the whole database goes through the log: ``checkpoint(_:holdingReaders:deadline:)`` truncates it.
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: `CancellationError`; ``SQLiteError`` as ``writeWithoutTransaction(deadline:_:)``; `SQLITE_ERROR` (1)
    ///   inside a transaction; `SQLITE_READONLY` (8) in a database that was opened read-only.
    public nonisolated(nonsending) func vacuum(deadline: Duration? = nil) async throws {
        try await writeWithoutTransaction(as: .vacuum, deadline) { try $0.vacuum() }
    }

    /// Writes a copy of the database, without free pages and fragmentation, to a new file: `VACUUM "main" INTO ?`. A reader
    /// writes it, in one snapshot: other reads and writes continue. Where a table has a CHECK constraint and a generated column,
    /// the writer writes it. If it fails, no partial file is left.
    ///
    ///     try await database.vacuum(into: "copy.db")
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: `CancellationError`; ``SQLiteError`` as ``Connection/vacuum(databaseNamed:into:)`` and
    ///   ``read(deadline:_:)``; `SQLITE_READONLY` (8) inside a read, and `SQLITE_ERROR` (1) inside a transaction.
    public nonisolated(nonsending) func vacuum(into path: String, deadline: Duration? = nil) async throws {
        try await intercepted(.vacuum) {
            let end = deadline.map { Deadline(after: $0) }
            do {
                try await readers.perform(deadline: deadline) { pooled, cancellation in
                    try vacuum(pooled, into: path, until: nil, cancellation)
                }
            } catch let error where needsWriter(error) {
                try await performWrite(end?.rest) { try $0.connection.vacuum(into: path) }
            }
        }
    }

    /// Whether only the writer can copy a table. On a connection that is opened read-only, tables have no CHECK constraints: SQLite
    /// finds the copy different, and inserts its rows with the values of generated columns.
    fileprivate func needsWriter(_ error: any Error) -> Bool {
        readers !== writer && (error as? SQLiteError)?.message.hasSuffix(" values were supplied") == true
    }

    /// The file of a reader is opened read-only, but `query_only` would also forbid writing the copy. It is set again when
    /// the connection is returned, as a setting of the closure.
    fileprivate func vacuum(
        _ pooled: PooledConnection, into path: String, until end: Deadline?, _ cancellation: Cancellation? = nil
    ) throws {
        pooled.enter(.writing)
        try Lease(pooled: pooled, kind: .outermost).performRead(
            until: end, cancellation,
            endingBy: { _ in
                pooled.clean()
                readers.end(pooled)
            }
        ) { connection in
            if readers !== writer { try connection.run("PRAGMA query_only = 0") }
            try connection.vacuum(into: path)
        }
    }
}

extension Database.Blocking {
    /// Rebuilds the database as ``Database/vacuum(deadline:)`` does.
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: ``SQLiteError`` as ``Database/vacuum(deadline:)``.
    public func vacuum(deadline: Duration? = nil) throws {
        try writeWithoutTransaction(deadline: deadline) { try $0.vacuum() }
    }

    /// Writes a copy of the database to a new file as ``Database/vacuum(into:deadline:)`` does.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: ``SQLiteError`` as ``Database/vacuum(into:deadline:)``.
    public func vacuum(into path: String, deadline: Duration? = nil) throws {
        let end = deadline.map { Deadline(after: $0) }
        if let pooled = try PooledConnection.nested(in: database.readers, or: database.writer) {
            return try Lease(pooled: pooled, kind: .nested).run(until: end) { try $0.vacuum(into: path) }
        }
        do {
            try database.vacuum(database.readers.acquire(until: end), into: path, until: end)
        } catch let error where database.needsWriter(error) {
            try writeWithoutTransaction(deadline: end?.rest) { try $0.vacuum(into: path) }
        }
    }
}
