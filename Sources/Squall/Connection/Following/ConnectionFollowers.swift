/// The events that a follower of a connection receives. Only those are here that cost something when nobody follows them: a hook of
/// SQLite, or a test before each statement.
package struct FollowedEvents: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The statements that may commit, before they run.
    package static let ends = FollowedEvents(rawValue: 1 << 0)
    /// Commits and rollbacks, by SQLite's hooks.
    package static let transactions = FollowedEvents(rawValue: 1 << 1)
    /// The changes of rows, by the pre-update hook.
    package static let rows = FollowedEvents(rawValue: 1 << 2)
    /// The actions of statements, by the authorizer.
    package static let actions = FollowedEvents(rawValue: 1 << 3)
    /// Commits to a log, by the WAL hook.
    package static let log = FollowedEvents(rawValue: 1 << 4)
    /// The statements of a read, before they run.
    package static let reads = FollowedEvents(rawValue: 1 << 5)
    /// The durations and results of checkpoints.
    package static let checkpoints = FollowedEvents(rawValue: 1 << 6)
}

/// The followers of a connection, in the order in which they were added.
struct ConnectionFollowers {
    private var all: [any ConnectionFollower] = []

    /// The events that any follower receives. Tested before each statement.
    private(set) var events: FollowedEvents = []

    /// Adds a follower. Those of the events that are hooks of SQLite are added by `Connection.follow(_:)`.
    mutating func insert(_ follower: any ConnectionFollower) {
        all.append(follower)
        update()
    }

    mutating func remove(_ follower: any ConnectionFollower) {
        all.removeAll { $0 === follower }
        update()
    }

    /// Reads the events of the followers again.
    mutating func update() { events = all.reduce(into: []) { $0.formUnion($1.events) } }

    func callAsFunction(_ body: (any ConnectionFollower) -> Void) {
        for follower in all { body(follower) }
    }

    /// The followers that receive an event.
    subscript(_ event: FollowedEvents) -> [any ConnectionFollower] {
        events.contains(event) ? all.filter { $0.events.contains(event) } : []
    }
}
