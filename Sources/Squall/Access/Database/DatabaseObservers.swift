/// The observers of a database, which are installed on its connections.
struct DatabaseObservers: Sendable {
    /// Adds the observer to a connection.
    typealias Installation = @Sendable (Connection) -> ObserverToken

    private struct Entry {
        let isForReaders: Bool
        let install: Installation
    }

    private let observers = Locked(NumberedList<Entry>())

    /// - Returns: The number by which the observer is removed.
    func add(isForReaders: Bool, _ install: @escaping Installation) -> Int {
        observers.withLock { $0.add(Entry(isForReaders: isForReaders, install: install)) }
    }

    func remove(_ number: Int) { observers.withLock { $0.remove(number) } }

    /// The observers of a connection, by their numbers.
    func installations(forReader isReader: Bool) -> [Int: Installation] {
        let entries = observers.withLock { $0.entries }
        return Dictionary(
            uniqueKeysWithValues: entries.filter { !isReader || $0.element.isForReaders }.map {
                ($0.number, $0.element.install)
            })
    }
}

extension PoolCore {
    /// Updates the observers of all connections. Idle connections, and the connection that this thread uses, are
    /// updated at once. Other leased connections are updated when they are returned.
    func updateObservers() {
        let idle = lock.withLock {
            for pooled in state.connections { pooled.hasOldObservers = true }
            // A connection that is returned to a slot is not updated.
            stopSharing()
            return state.leaseAllIdle()
        }
        if let pooled = PooledConnection.innermost(of: self) { updateObservers(of: pooled) }
        for pooled in idle { release(pooled) }
    }

    /// Updates the observers of a connection that this thread has leased.
    func updateObservers(of pooled: PooledConnection) {
        while lock.withLock({ pooled.takeHasOldObservers() }) { pooled.install(observers()) }
    }
}

extension PooledConnection {
    /// Called with the lock of the core.
    fileprivate func takeHasOldObservers() -> Bool {
        defer { hasOldObservers = false }
        return hasOldObservers
    }

    fileprivate func install(_ installations: [Int: DatabaseObservers.Installation]) {
        // Most databases have no observers, and the types that the rest needs are made at its first use.
        if observers.isEmpty, installations.isEmpty { return }
        // Changes under `own` access do not end with the running closure.
        connection.withOwnAccess {
            for (number, token) in observers where installations[number] == nil {
                token.cancel()
                observers[number] = nil
            }
            for (number, install) in installations.sorted(by: { $0.key < $1.key }) where observers[number] == nil {
                observers[number] = install(connection)
            }
        }
    }
}
