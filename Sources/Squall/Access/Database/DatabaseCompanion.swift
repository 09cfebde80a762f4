/// An object that another part of the library keeps for a database.
protocol DatabaseCompanion: AnyObject, Sendable {
    /// The database is about to be closed. Its connections still work.
    func databaseWillClose()

    /// A suspension has ended.
    func databaseDidResume()
}

/// The companions of a database, one of each type.
///
/// Sendable, because the variables are used only under the lock.
final class DatabaseCompanions: @unchecked Sendable {
    private let lock = Lock()
    private var companions: [ObjectIdentifier: any DatabaseCompanion] = [:]
    private var isClosing = false

    /// Returns the companion of a type, which is made at its first use and kept as long as the database.
    func companion<Companion: DatabaseCompanion>(_ make: () -> Companion) -> Companion {
        let (companion, isLate) = lock.withLock {
            if let known = companions[ObjectIdentifier(Companion.self)] as? Companion { return (known, false) }
            let made = make()
            companions[ObjectIdentifier(Companion.self)] = made
            return (made, isClosing)
        }
        if isLate { companion.databaseWillClose() }
        return companion
    }

    /// Tells the companions, also those that are made later, that the database is about to be closed.
    func databaseWillClose() {
        let all = lock.withLock {
            isClosing = true
            return Array(companions.values)
        }
        for companion in all { companion.databaseWillClose() }
    }

    func databaseDidResume() {
        for companion in lock.withLock({ Array(companions.values) }) { companion.databaseDidResume() }
    }
}
