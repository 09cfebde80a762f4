/// The event observers of a database.
///
/// Sendable, because the variables are used only under the lock.
final class DatabaseEvents: @unchecked Sendable {
    typealias Observer = @Sendable (DatabaseEvent) -> Void

    private let lock = Lock()
    private var observers: [(number: Int, call: Observer)] = []
    private var lastNumber = 0
    /// The observers of connections that make the events; they are installed while there are observers of events.
    private var sources: DatabaseObserverToken?

    var isObserved: Bool { lock.withLock { !observers.isEmpty } }

    /// - Parameter makeSources: Called for the first observer.
    /// - Returns: The number by which the observer is removed.
    func add(_ observer: @escaping Observer, _ makeSources: () -> DatabaseObserverToken) -> Int {
        let (number, isFirst) = lock.withLock {
            lastNumber += 1
            observers.append((lastNumber, observer))
            return (lastNumber, observers.count == 1)
        }
        if isFirst {
            let made = makeSources()
            // Another thread may have removed the observer, or have added the first one as well.
            let surplus = lock.withLock {
                if observers.isEmpty { return made as DatabaseObserverToken? }
                defer { sources = made }
                return sources
            }
            surplus?.cancel()
        }
        return number
    }

    /// Removes an observer.
    ///
    /// - Returns: Whether it was the last one.
    func remove(_ number: Int) -> Bool {
        let (isLast, token) = lock.withLock {
            observers.removeAll { $0.number == number }
            defer { if observers.isEmpty { sources = nil } }
            return (observers.isEmpty, observers.isEmpty ? sources : nil)
        }
        token?.cancel()
        return isLast
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
