/// The owner of the connection with which a situation is made.
enum Ground: String, CaseIterable {
    /// A connection of its own.
    case own
    /// A connection of its own, to a database in memory.
    case memory
    /// A database of which the thread has no connection.
    case outside
    /// The closure of `writeWithoutTransaction`.
    case writer
    /// The closure of `transaction` in a database that commits writes together.
    case group
    /// The closure of `read`.
    case reader
    /// The closure of `read` of a `ReadSnapshot`.
    case snapshot
    /// The closure of `execute` of a `ConnectionQueue`.
    case queue
    /// The closure of `execute` of a `ConnectionPool`.
    case pool

    var hasConnection: Bool { self != .outside }

    /// Whether a statement on the connection can write.
    var canWrite: Bool {
        switch self {
        case .own, .memory, .writer, .group, .queue: true
        case .outside, .reader, .snapshot, .pool: false
        }
    }
}
