/// The closures of the user's that SQLite is calling: functions and collations, each inside a step of a statement.
///
/// In memory of its own, so that a call need not count references to the connection (a function of two numbers took 1.42 of C
/// when it did, and 1.21 since). The connection outlives all that SQLite keeps for it.
struct Callbacks {
    /// How many are running, one inside the other.
    var depth = 0

    /// A function that calls itself through SQL goes no deeper: the stack of a thread may be small, and ends the program.
    static let deepest = 50

    /// Whether a statement of the library's own runs, which the authorizer and the progress handler let pass.
    var isInternal = false

    /// Whether it is hidden from the trace as well.
    var isHidden = false

    /// Whether one of them, or one that has returned, has closed the connection.
    var isConnectionClosed = false
}
