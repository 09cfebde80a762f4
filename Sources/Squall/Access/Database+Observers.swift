extension Database {
    /// An observer of a database, to be ended by ``cancel()``. The token need not be kept: the observer stays until then, or
    /// until the database is closed.
    public final class ObserverToken: Sendable {
        private let remove: @Sendable () -> Void

        fileprivate init(_ remove: @escaping @Sendable () -> Void) {
            self.remove = remove
        }

        /// Removes the observer. A closure that is using a connection now is observed until it returns. Doing it again does
        /// nothing.
        public func cancel() { remove() }
    }

    /// Adds an observer that is called after each row that is inserted, updated or deleted by the database, as that of
    /// ``Connection/addUpdateObserver(_:)``.
    ///
    ///     let token = database.addUpdateObserver { type, _, table, rowID in print(type, table ?? "", rowID) }
    ///     …
    ///     token.cancel()
    ///
    /// Like all observers of a database, it is called on the thread of the closure that writes, and cannot use the connection.
    /// Closures that begin later are observed, also on connections that are opened later; one that is running is not, unless
    /// it is the one that adds the observer. The database keeps its observers: capture the database `weak` in them.
    @discardableResult
    public func addUpdateObserver(
        _ observer:
            @escaping @Sendable (
                _ type: Connection.UpdateHookType, _ databaseName: String?, _ tableName: String?, _ rowID: Int64
            ) -> Void
    ) -> ObserverToken {
        addObserver { $0.addUpdateObserver(observer) }
    }

    /// Adds an observer that is called before each row that is inserted, updated or deleted by the database, with its values.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_ERROR` (1), where SQLite was built without the pre-update hook.
    @discardableResult
    public func addPreUpdateObserver(
        _ observer: @escaping @Sendable (Connection.PreUpdate) -> Void
    ) throws -> ObserverToken {
        try Connection.checkPreUpdate()
        return addObserver { $0.slot(PreUpdateSlot.self).add(observer) }
    }

    /// Adds an observer that is called before each commit of a transaction that has written. `true` makes a rollback of it, and
    /// the statement that commits throws `SQLITE_CONSTRAINT` (19).
    @discardableResult
    public func addCommitObserver(_ observer: @escaping @Sendable () -> Bool) -> ObserverToken {
        addObserver { $0.addCommitObserver(observer) }
    }

    /// Adds an observer that is called after each rollback of the connection that writes.
    @discardableResult
    public func addRollbackObserver(_ observer: @escaping @Sendable () -> Void) -> ObserverToken {
        addObserver { $0.addRollbackObserver(observer) }
    }

    /// Adds an observer that is called after each commit to a write-ahead log, with the number of pages in the log.
    @discardableResult
    public func addWALObserver(
        _ observer: @escaping @Sendable (_ databaseName: String, _ pageCount: Int) -> Void
    ) -> ObserverToken {
        addObserver { $0.addWALObserver(observer) }
    }

    /// Adds an observer that is called with what SQLite reports of the statements of all connections, also of those that read.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events, the masks of ``Connection/TraceEvent`` joined by `|`; `nil` for all.
    ///   - observer: May be called on several threads at the same time.
    @discardableResult
    public func addTraceObserver(
        mask: UInt32? = nil, _ observer: @escaping @Sendable (Connection.TraceEvent) -> Void
    ) -> ObserverToken {
        addObserver(isForReaders: true) { $0.addTraceObserver(mask: mask, observer) }
    }

    /// Adds an observer that is called with what each statement has cost when it ends, on all connections, also on those that
    /// read. It may be called on several threads at the same time.
    @discardableResult
    public func addProfileObserver(
        _ observer: @escaping @Sendable (Connection.StatementProfile) -> Void
    ) -> ObserverToken {
        addObserver(isForReaders: true) { $0.addProfileObserver(observer) }
    }

    private func addObserver(
        isForReaders: Bool = false, _ install: @escaping DatabaseObservers.Installation
    ) -> ObserverToken {
        let number = observers.add(isForReaders: isForReaders, install)
        updateObservers(ofReaders: isForReaders)
        return ObserverToken { [weak self] in
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
