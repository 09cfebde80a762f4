extension SQLiteError {
    /// The kind of an error, with the values that a caller may want to read.
    ///
    ///     do {
    ///         try await database.write { try $0.run("DELETE FROM orders") }
    ///     } catch let error as SQLiteError where error.kind == .closed(.database) {
    ///         // another thread has closed it
    ///     }
    ///
    /// The errors of SQLite itself differ by their codes; their kind is ``sqlite``. An error that SQL reports for a
    /// function written in Swift has this kind as well, because SQLite keeps only its message and its code.
    ///
    /// The cases are those of connections, transactions and statements. Code that builds on them, in this library or another
    /// one, adds its own problems, which ``SQLiteError/problem(_:)`` returns.
    public enum Kind: Hashable, Sendable {
        /// Thrown for an error that its code describes: SQLite has reported it, or Squall in the same case.
        case sqlite

        // Connections and databases
        /// Thrown when a closed connection, database or snapshot is used.
        case closed(_ object: Closable)
        /// Thrown when a connection is used after the closure that received it has returned.
        case connectionReturned
        /// Thrown when a database is used in a child process that was forked after the database was opened.
        case forkedProcess
        /// Thrown when a feature is used, also by SQL, that the SQLite library was built without. The code is `SQLITE_ERROR` (1).
        case libraryLacks(_ feature: LibraryFeature)
        /// Thrown when the closure of a read does what only a write may do.
        case insideRead(_ violation: ReadViolation)
        /// Thrown when a hook or a handler uses the connection that called it.
        case hookReentrancy(hook: String)
        /// Thrown when a statement, or a wait, is ended before it has finished.
        case interrupted(_ reason: InterruptionReason)

        // Transactions
        /// Thrown by the statements of a transaction that SQLite has rolled back, or that SQL has ended, while its
        /// closure is still running. The code is ``ResultCode/transactionLost``.
        case transactionLost
        /// Thrown when a statement that was on a row is continued after a rollback. The code is
        /// ``ResultCode/transactionLost``.
        case endedByRollback

        // Statements and their parameters
        /// Thrown when SQL for one statement has only blanks and comments.
        case noStatement
        /// Thrown when SQL for one statement has more than one.
        case severalStatements
        /// Thrown when the closure of a query, or a function that a statement calls, uses that statement.
        case statementInUse
        /// Thrown when SQL with an array, which is a table of this process, is to be run elsewhere.
        case arrayElsewhere
        /// Thrown when the number of values differs from the number of parameters.
        case parameterCount(expected: Int, given: Int)
        /// Thrown when a value is given for a name that none of the parameters has.
        case unknownParameter(name: String)
        /// Thrown when values are given by name, but not for this parameter.
        case missingParameter(name: String)
        /// Thrown when two values are given for one parameter, with and without its prefix.
        case repeatedParameter(name: String)
        /// Thrown when values are given by name, but a parameter has no name.
        case unnamedParameter
        /// Thrown when a statement is run before its parameters have values, or after a `bind` that threw.
        case unboundParameters(count: Int)
        /// Thrown when SQL with interpolated values is given parameters as well.
        case mixedParameters
        /// Thrown when an interpolated value is inside quotes or a comment.
        case valueInsideQuotes
        /// Thrown when SQL has a written parameter beside interpolated values.
        case parameterBesideValues
        /// Thrown when a value of a type that cannot be bound is interpolated or assigned.
        case unbindable(type: String)
        /// Thrown when a value cannot be stored, such as NaN or a date too far away.
        case unstorable(type: String, reason: ValueProblem)
        /// Thrown when SQL, a name or a path has a NUL character, at which SQLite would end it.
        case nulCharacter(in: NulCharacterPlace)
        /// Thrown by a query for a dictionary of values that must be read from one column each, such as a dictionary of
        /// a `Decodable` type.
        case notMadeOfRows(type: String)
        /// Thrown by a query for a dictionary of pairs, if its rows do not have two columns.
        case notPairs(type: String, columnCount: Int)
        /// Thrown by a query for tuples, if its rows do not have a column for each type.
        case columnCount(expected: Int, found: Int)
        /// Thrown by the overloads that only explain a compile error, and cannot be called.
        @_documentation(visibility: internal)
        case unavailable

        // Problems
        /// Thrown for a problem of another part of the library, or of another library.
        case problem(_ problem: Problem)
    }
}
