/// An object that another part of the library keeps for a database.
protocol DatabaseCompanion: AnyObject, Sendable {
    /// The database is about to be closed. Its connections still work.
    func databaseWillClose()

    /// A suspension has ended.
    func databaseDidResume()
}

/// The companions of a database, one of each type.
///
/// Sendable, because the dictionary is used only under the lock.
final class DatabaseCompanions: @unchecked Sendable {
    private let lock = Lock()
    private var companions: [ObjectIdentifier: any DatabaseCompanion] = [:]

    var all: [any DatabaseCompanion] { lock.withLock { Array(companions.values) } }

    /// Returns the companion of a type, which is made at its first use and kept as long as the database.
    func companion<Companion: DatabaseCompanion>(_ make: () -> Companion) -> Companion {
        lock.withLock {
            if let known = companions[ObjectIdentifier(Companion.self)] as? Companion { return known }
            let made = make()
            companions[ObjectIdentifier(Companion.self)] = made
            return made
        }
    }
}
