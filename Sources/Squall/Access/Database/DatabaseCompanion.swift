/// An object that another part of the library keeps for a database.
protocol DatabaseCompanion: AnyObject, Sendable {
    /// The database is about to be closed. Its connections still work.
    func databaseWillClose()

    /// A suspension has ended.
    func databaseDidResume()
}

/// The companions of a database, one of each type.
struct DatabaseCompanions: Sendable {
    private struct State {
        var companions: [ObjectIdentifier: any DatabaseCompanion] = [:]
        var isClosing = false
    }

    private let state = Locked(State())

    /// Returns the companion of a type, which is made at its first use and kept as long as the database.
    func companion<Companion: DatabaseCompanion>(_ make: () -> Companion) -> Companion {
        let (companion, isLate) = state.withLock { state in
            let type = ObjectIdentifier(Companion.self)
            if let known = state.companions[type] as? Companion { return (known, false) }
            let made = make()
            state.companions[type] = made
            return (made, state.isClosing)
        }
        if isLate { companion.databaseWillClose() }
        return companion
    }

    /// Tells the companions, also those that are made later, that the database is about to be closed.
    func databaseWillClose() {
        let all = state.withLock { state in
            state.isClosing = true
            return Array(state.companions.values)
        }
        for companion in all { companion.databaseWillClose() }
    }

    func databaseDidResume() {
        for companion in state.withLock({ Array($0.companions.values) }) { companion.databaseDidResume() }
    }
}
