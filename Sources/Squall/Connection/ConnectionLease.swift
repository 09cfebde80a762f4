/// The use of a connection by a closure of a queue, a pool or a database, and what the closure leaves behind.
struct ConnectionLease {
    /// How the connection may be used now.
    var access = Connection.Access.own

    /// Whether a statement has run that may leave a savepoint or a setting.
    var mayHaveLeftovers = false

    /// The settings that the closure has changed.
    var settings = SettingsOfClosure()

    /// Whether the closure has closed the connection.
    var isClosed = false

    /// Whether the closure runs in a transaction with the work of others, which it must not commit.
    var mustNotCommit = false

    /// Whether trace observers are called that must see `BEGIN` and `COMMIT` of each read.
    var isTraced = false

    // Counters, which the pool takes after the closure.

    /// The number of rows that the statements of the connection have returned.
    var returnedRows = 0

    /// The time that statements have waited for locks and that has not been reported yet, in nanoseconds.
    var waitedTime: UInt64 = 0

    /// The number of transactions that SQLite has rolled back by itself, and that have not been reported yet.
    var lostTransactions = 0
}
