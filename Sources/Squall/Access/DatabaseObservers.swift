/// The observers of a database, to be installed on its connections.
///
/// Sendable, because everything that changes is used under the lock alone.
final class DatabaseObservers: @unchecked Sendable {
    /// Adds the observer to a connection.
    typealias Installation = @Sendable (Connection) -> ObserverToken

    private struct Entry {
        let isForReaders: Bool
        let install: Installation
    }

    private let lock = Lock()
    private var entries: [Int: Entry] = [:]
    private var lastNumber = 0

    /// - Returns: The number by which the observer is removed.
    func add(isForReaders: Bool, _ install: @escaping Installation) -> Int {
        lock.withLock {
            lastNumber += 1
            entries[lastNumber] = Entry(isForReaders: isForReaders, install: install)
            return lastNumber
        }
    }

    func remove(_ number: Int) {
        lock.withLock { entries[number] = nil }
    }

    /// The observers of a connection by their numbers.
    func installations(forReader isReader: Bool) -> [Int: Installation] {
        lock.withLock { entries.filter { !isReader || $0.value.isForReaders }.mapValues(\.install) }
    }
}

extension PoolCore {
    /// Brings the observers of all connections up to date: of those that are idle at once, of those that are lent when they are
    /// given back, and of the one that this thread uses at once as well.
    func updateObservers() {
        var idle: [PooledConnection] = []
        lock.withLock {
            for pooled in connections { pooled.hasOldObservers = true }
            // Who parks a pooled would not pass here.
            isBarred = true
            for pooled in idleSlots.bar(true) { makeIdle(pooled) }
            while let pooled = takeIdle() {
                permits += 1
                idle.append(pooled)
            }
        }
        if let pooled = PooledConnection.innermost(of: self) { updateObservers(of: pooled) }
        for pooled in idle { release(pooled) }
    }

    /// Brings the observers of a connection up to date. Called by whoever has been lent it.
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
        // It is not the closure's doing, if there is one, and does not end with it.
        let lending = connection.lending
        connection.lending = .own
        defer { connection.lending = lending }
        for (number, token) in observers where installations[number] == nil {
            token.cancel()
            observers[number] = nil
        }
        for (number, install) in installations.sorted(by: { $0.key < $1.key }) where observers[number] == nil {
            observers[number] = install(connection)
        }
    }
}
