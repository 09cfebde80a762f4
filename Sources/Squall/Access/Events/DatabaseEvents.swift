/// The event observers of a database.
///
/// Sendable, because the observers are used only under the lock, and the sources under the lock of the updates.
final class DatabaseEvents: @unchecked Sendable {
    typealias Observer = @Sendable (DatabaseEvent) -> Void

    private let lock = Lock()
    private var observers: [(number: Int, call: Observer)] = []
    private var lastNumber = 0

    private let updateLock = Lock()
    /// The observers of connections that make events; `nil` without observers of events.
    private var sources: DatabaseObserverToken?

    var isObserved: Bool { lock.withLock { !observers.isEmpty } }

    /// - Returns: The number by which the observer is removed.
    func add(_ observer: @escaping Observer) -> Int {
        lock.withLock {
            lastNumber += 1
            observers.append((lastNumber, observer))
            return lastNumber
        }
    }

    func remove(_ number: Int) {
        lock.withLock { observers.removeAll { $0.number == number } }
    }

    /// Begins to make events, or ends it, after observers were added or removed. Of several threads, the last one does what the
    /// observers then require.
    ///
    /// - Parameter makeSources: Returns the token that ends the events.
    func updateSources(_ makeSources: () -> DatabaseObserverToken) {
        updateLock.withLock {
            if !isObserved {
                sources?.cancel()
                sources = nil
            } else if sources == nil {
                sources = makeSources()
            }
        }
    }

    /// Calls the observers. Called without the lock of a pool or of a slot.
    func send(_ event: @autoclosure () -> DatabaseEvent) {
        let observers = lock.withLock { self.observers }
        if observers.isEmpty { return }
        let event = event()
        for observer in observers { observer.call(event) }
    }
}

extension Connection {
    /// The events of the database of the connection; `nil` for a connection without a database.
    var databaseEvents: DatabaseEvents? { companions[ObjectIdentifier(DatabaseEvents.self)] as? DatabaseEvents }
}
