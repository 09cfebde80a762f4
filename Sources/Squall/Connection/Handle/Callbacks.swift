/// The state of SQLite's calls to the user's functions, collations and hooks, and to the library's internal statements.
///
/// Allocated separately from the connection, so that a call need not retain the connection: a function of two numbers
/// took 1.42× C with the retain, and takes 1.21× without. The connection outlives everything that SQLite keeps for it.
struct Callbacks {
    /// The number of running calls, one inside the other.
    var depth = 0

    /// The maximum depth. A function that calls itself through SQL is refused beyond it: the stack of a thread may be
    /// small, and its overflow ends the program.
    static let deepest = 50

    /// Whether an internal statement is running, which the authorizer and the progress handler allow.
    var isInternal = false

    /// Whether the internal statement is hidden from trace observers as well.
    var isHidden = false

    /// Whether one of these calls, running or returned, has closed the connection.
    var isConnectionClosed = false { didSet { hasWorkLeft = isConnectionClosed || isCommitting } }

    /// Whether SQLite has called the commit hook, and the statement that commits has not ended yet.
    var isCommitting = false { didSet { hasWorkLeft = isConnectionClosed || isCommitting } }

    /// The last error that the code of a virtual table has thrown, until the statement that fails with it throws it again.
    var thrownError: ThrownError?

    /// Whether the end of a statement must finish what a call has begun.
    private(set) var hasWorkLeft = false
}
