/// A token that removes an observer of a database with ``cancel()``. It need not be kept: the observer stays until it is
/// cancelled or the database is closed.
///
/// Unlike the ``ObserverToken`` of a connection, it can be cancelled on any thread.
public final class DatabaseObserverToken: Sendable {
    private let remove: @Sendable () -> Void

    init(_ remove: @escaping @Sendable () -> Void) {
        self.remove = remove
    }

    /// Removes the observer. Closures that run on other threads are observed until they return. Cancelling again does
    /// nothing.
    public func cancel() { remove() }
}

extension Database {
    /// Adds an observer that is called after each row that the database inserts, updates or deletes; see
    /// ``Connection/addUpdateObserver(_:)``.
    ///
    ///     let token = database.addUpdateObserver { type, _, table, rowID in
    ///         print(type, table ?? "", rowID)
    ///     }
    ///     …
    ///     token.cancel()
    ///
    /// It is called on the thread of the closure that writes, and cannot use the connection. It observes the rest of the closure that adds it, and closures that begin later, on all connections. The database keeps its observers: capture the database `weak` in them.
    @discardableResult
    public func addUpdateObserver(
        _ observer:
            @escaping @Sendable (
                _ type: Connection.UpdateHookType, _ databaseName: String?, _ tableName: String?, _ rowID: Int64
            ) -> Void
    ) -> DatabaseObserverToken {
        addObserver { $0.addUpdateObserver(observer) }
    }

    /// Adds an observer that is called with the values of each row before the database inserts, updates or deletes it.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_ERROR` (1), where SQLite was built without the pre-update hook.
    @discardableResult
    public func addPreUpdateObserver(
        _ observer: @escaping @Sendable (Connection.PreUpdate) -> Void
    ) throws -> DatabaseObserverToken {
        try Connection.checkPreUpdate()
        return addObserver { $0.slot(PreUpdateSlot.self).add(observer) }
    }

    /// Adds an observer that is called before each commit of a transaction that has written. When it returns `true`,
    /// the transaction is rolled back, and the committing statement throws `SQLITE_CONSTRAINT` (19).
    @discardableResult
    public func addCommitObserver(_ observer: @escaping @Sendable () -> Bool) -> DatabaseObserverToken {
        addObserver { $0.addCommitObserver(observer) }
    }

    /// Adds an observer that is called after each rollback of the writer.
    @discardableResult
    public func addRollbackObserver(_ observer: @escaping @Sendable () -> Void) -> DatabaseObserverToken {
        addObserver { $0.addRollbackObserver(observer) }
    }

    /// Adds an observer that is called after each commit to a write-ahead log, with the number of pages in the log.
    @discardableResult
    public func addWALObserver(
        _ observer: @escaping @Sendable (_ databaseName: String, _ pageCount: Int) -> Void
    ) -> DatabaseObserverToken {
        addObserver { $0.addWALObserver(observer) }
    }

    /// Adds an authorizer to all connections, including the readers. It may be called on several threads at the same
    /// time; see ``Connection/addAuthorizer(_:)``.
    @discardableResult
    public func addAuthorizer(
        _ authorizer:
            @escaping @Sendable (Connection.AuthorizerAction, String?, String?, String?, String?) ->
            Connection.AuthorizerResult
    ) -> DatabaseObserverToken {
        addObserver(isForReaders: true) { $0.addAuthorizer(authorizer) }
    }

    /// Adds an observer that is called with SQLite's trace events of all connections, including the readers.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events: masks of ``Connection/TraceEvent`` combined by `|`; `nil` for all.
    ///   - observer: A closure that may be called on several threads at the same time.
    @discardableResult
    public func addTraceObserver(
        mask: UInt32? = nil, _ observer: @escaping @Sendable (Connection.TraceEvent) -> Void
    ) -> DatabaseObserverToken {
        addObserver(isForReaders: true) { $0.addTraceObserver(mask: mask, observer) }
    }

    /// Adds an observer that is called with the cost of each statement when it ends, on all connections, including the
    /// readers. It may be called on several threads at the same time.
    @discardableResult
    public func addProfileObserver(
        _ observer: @escaping @Sendable (Connection.StatementProfile) -> Void
    ) -> DatabaseObserverToken {
        addObserver(isForReaders: true) { $0.addProfileObserver(observer) }
    }

    /// Adds an observer of statements that take at least a certain time, on all connections, including the readers. It may be
    /// called on several threads at the same time; see ``Connection/addSlowStatementObserver(from:includingValues:_:)``.
    ///
    /// Readers keep their transactions: see ``Configuration/heldReads``.
    @discardableResult
    public func addSlowStatementObserver(
        from threshold: Duration, includingValues includesValues: Bool = false,
        _ observer: @escaping @Sendable (SlowStatement) -> Void
    ) -> DatabaseObserverToken {
        addObserver(isForReaders: true) {
            $0.addSlowStatementObserver(from: threshold, includingValues: includesValues, observer)
        }
    }

    package func addObserver(
        isForReaders: Bool = false, _ install: @escaping @Sendable (Connection) -> ObserverToken
    ) -> DatabaseObserverToken {
        let number = observers.add(isForReaders: isForReaders, install)
        updateObservers(ofReaders: isForReaders)
        return DatabaseObserverToken { [weak self] in
            guard let self else { return }
            observers.remove(number)
            updateObservers(ofReaders: isForReaders)
        }
    }

    private func updateObservers(ofReaders includesReaders: Bool) {
        if writer.fork.isChild { return }
        writer.updateObservers()
        guard includesReaders, readers !== writer else { return }
        for core in [readers] + snapshots.all { core.updateObservers() }
    }
}
