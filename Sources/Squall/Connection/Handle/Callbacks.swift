import SquallSQLite

/// The state of SQLite's calls to the user's functions, collations and hooks, and to the library's internal statements.
///
/// Allocated separately from the connection, so that a call need not retain the connection: a function of two numbers
/// took 1.42× C with the retain, and takes 1.21× without.
package struct Callbacks {
    // Unmanaged: the connection sets it to `nil` in its `deinit`.
    /// The connection; `nil` while a claim owns its handle, perhaps on another thread, and once it is released.
    var connection: Unmanaged<Connection>?

    /// The number of running calls, one inside the other. A connection that is closed meanwhile stays open until there are none; see
    /// ``Connection/finishPostponedWork()``.
    var depth = 0

    /// The maximum depth. A function that calls itself through SQL is refused beyond it: the stack of a thread may be
    /// small, and its overflow ends the program.
    static let deepest = 50

    /// The code of ``thrownError`` where SQLite passes on the code of a callback without its message. SQLite passes extended codes on
    /// unchanged, and has none like this one.
    static let failureCode: Int32 = 1 | 0x53 << 8

    /// Whether an internal statement is running, which the authorizer and the progress handler allow.
    var isInternal = false

    /// Whether the internal statement is hidden from trace observers as well.
    var isHidden = false

    /// Whether one of these calls, running or returned, has closed the connection.
    var isConnectionClosed = false { didSet { updateWorkLeft() } }

    /// Whether a rollback in one of these calls has undone what a statement writes that is still running. SQLite ends such a statement
    /// later: it would first pass a table that the rollback has freed to the pre-update hook.
    var isUndone = false { didSet { updateWorkLeft() } }

    /// How often the schema may have been read again, which frees the tables that an open value uses.
    var schemaChanges = 0

    /// How often transactions and savepoints were rolled back, which may free them too.
    var rollbacks = 0

    /// Whether SQLite has called the commit hook, and the statement that commits has not ended yet.
    var isCommitting = false { didSet { updateWorkLeft() } }

    /// Whether something waits for the end of the outermost call: see ``Connection/postpone(_:)``.
    var hasPostponedWork = false { didSet { updateWorkLeft() } }

    /// The making of a virtual table that is running.
    enum TableMaking {
        case none
        /// SQLite compiles a statement that uses a table which exists.
        case connecting
        /// SQLite runs `CREATE VIRTUAL TABLE`.
        case creating
    }

    var tableMaking = TableMaking.none

    /// Whether a statement is being prepared whose region is read when it begins, or that belongs to the library.
    var isPreparing = false

    /// Whether a collation is running, which cannot end its statement with an error.
    var isComparing = false

    /// Whether a follower waits for the end of the statement.
    var isEndAwaited = false { didSet { updateWorkLeft() } }

    /// The last error that the code of a virtual table or of a search has thrown, until the statement that fails with it
    /// throws it again.
    package var thrownError: ThrownError?

    /// Whether the end of a statement must finish what a call has begun.
    private(set) var hasWorkLeft = false

    /// Whether a call may have to end its statement with an error.
    private(set) var mayEndStatement = false

    private mutating func updateWorkLeft() {
        mayEndStatement = isConnectionClosed || isUndone
        hasWorkLeft = mayEndStatement || isCommitting || isEndAwaited || hasPostponedWork
    }
}

extension UnsafeMutablePointer<Callbacks> {
    /// Calls code of the user for SQLite. Its error is reported during the call too: the error's description is also code of
    /// the user.
    ///
    /// - Parameters:
    ///   - nesting: The message for code that calls itself through SQL without end.
    ///   - report: Tells SQLite of an error. Returns a result code.
    /// - Returns: The result code of `body`, or that of `report`.
    @inline(__always)
    package func run(
        nesting: @autoclosure () -> String, _ body: () throws -> Int32, report: (any Error) -> Int32
    ) -> Int32 {
        pointee.depth &+= 1
        defer { pointee.depth &-= 1 }
        do {
            if pointee.depth > Callbacks.deepest { throw SQLiteError.nesting(nesting()) }
            let code = try body()
            if pointee.mayEndStatement { try checkStatement() }
            return code
        } catch {
            return report(error)
        }
    }

    /// Throws if code of the user has closed the connection, or has undone what the statement that calls it writes.
    @inline(never)
    func checkStatement() throws {
        if pointee.isConnectionClosed { throw SQLiteError.connectionIsClosed() }
        if pointee.isUndone, pointee.connection?._withUnsafeGuaranteedRef({ $0.hasWriteInProgress }) == true {
            throw SQLiteError(.endedByRollback, code: .transactionLost)
        }
    }

    /// The address of the number of running calls.
    var callDepth: UnsafeMutablePointer<Int>? {
        MemoryLayout<Callbacks>.offset(of: \.depth).map {
            (UnsafeMutableRawPointer(self) + $0).assumingMemoryBound(to: Int.self)
        }
    }

    /// Calls a closure that makes calls of SQLite. What is released meanwhile is ended by ``Connection/finishPostponedWork()``.
    @inline(__always)
    func duringCall<Result>(_ body: () throws -> Result) rethrows -> Result {
        pointee.depth &+= 1
        defer { pointee.depth &-= 1 }
        return try body()
    }

    /// Calls the closure that makes a virtual table.
    func makingTable<Result>(isCreation: Bool, _ body: () throws -> Result) rethrows -> Result {
        let outer = pointee.tableMaking
        pointee.tableMaking = isCreation ? .creating : .connecting
        defer { pointee.tableMaking = outer }
        return try body()
    }

    /// Calls code of the user that cannot use the connection, whose methods throw until the code returns.
    @inline(__always)
    package func withoutConnection<Result>(during name: StaticString, _ body: () -> Result) -> Result {
        // Nobody uses the connection during a claim.
        guard let connection = pointee.connection else { return body() }
        return connection._withUnsafeGuaranteedRef { $0.withoutHandle(during: name, body) }
    }

    /// Keeps an error for the statement, where SQLite passes on a code without a message.
    ///
    /// - Returns: The code for SQLite.
    package func keep(_ error: any Error) -> Int32 {
        pointee.thrownError = ThrownError(error)
        return Callbacks.failureCode
    }
}

extension SQLiteError {
    @inline(never)
    fileprivate static func nesting(_ message: String) -> SQLiteError {
        SQLiteError(code: SQLITE_ERROR, message: message)
    }
}

extension Connection {
    /// Lets followers know the end of the running statement, by ``ConnectionFollower/didEndStatement(on:)``.
    package func awaitEndOfStatement() { callbacks.pointee.isEndAwaited = true }
}
