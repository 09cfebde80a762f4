/// The event observers of a database.
final class DatabaseEvents: Sendable {
    typealias Observer = @Sendable (DatabaseEvent) -> Void

    private let observers = Locked(NumberedList<Observer>())
    /// The observers of connections that make events; `nil` without observers of events.
    private let sources = Locked<DatabaseObserverToken?>(nil)

    var isObserved: Bool { observers.withLock { !$0.isEmpty } }

    /// - Returns: The number by which the observer is removed.
    func add(_ observer: @escaping Observer) -> Int { observers.withLock { $0.add(observer) } }

    func remove(_ number: Int) { observers.withLock { $0.remove(number) } }

    /// Begins to make events, or ends it, after observers were added or removed. Of several threads, the last one does what the
    /// observers then require.
    ///
    /// - Parameter makeSources: Returns the token that ends the events.
    func updateSources(_ makeSources: () -> DatabaseObserverToken) {
        sources.withLock { sources in
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
        let observers = observers.withLock { $0.elements }
        if observers.isEmpty { return }
        let event = event()
        for observer in observers { observer(event) }
    }
}

extension Connection {
    /// The events of the database of the connection; `nil` for a connection without a database.
    var databaseEvents: DatabaseEvents? { companions[ObjectIdentifier(DatabaseEvents.self)] as? DatabaseEvents }
}
