import Squall

/// The changes of some tables, which can be undone and redone.
///
///     let history = try await UndoHistory(database, tables: ["cars"], limit: 100)
///     try await database.write { try $0.run("UPDATE cars SET price = price + 1") }
///     try await history.undo()
///     try await history.redo()
///     try await history.write("Import") { connection in … }
///
/// A step is a transaction of the database that was committed and has changed one of the tables. In
/// `Database.writeWithoutTransaction(deadline:_:)` without a transaction, each statement is a step. A write inside a transaction, and a
/// savepoint, are parts of its step. What was rolled back is not. Closures of `Configuration.groupCommit` share no transaction while
/// a history exists.
///
/// Undoing and redoing restore the rows, with all that triggers and the actions of foreign keys have changed in the tables. Neither
/// run again. Tables that are not in the history are not restored, even if triggers write to them.
///
/// Other connections and processes may change the tables too. Their changes are not steps, and are kept. If they have changed a row
/// of the step that is undone, ``UndoConflictError`` is thrown, and nothing is undone.
///
/// The steps are kept in memory, as the bytes of changesets, until the history is released. Several histories of one database are
/// independent: undoing in one is a step of another with the same tables. A history can be used on any thread.
public final class UndoHistory: Sendable {
    /// The database.
    public let database: Database
    /// The tables whose changes are recorded.
    public let tables: [String]
    /// The maximum number of steps that can be undone.
    public let limit: Int

    let steps: UndoSteps
    private let token: DatabaseObserverToken

    /// Begins to record the changes of tables.
    ///
    ///     let history = try await UndoHistory(database, tables: ["cars"])
    ///
    /// A write of another thread that is running now is not recorded, and cannot contain a ``Blocking/write(_:deadline:_:)``.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - tables: The tables of `main`, each of which must have a declared primary key; without a name all tables that the database
    ///     has, but those of a ``SyncLog``.
    ///   - limit: The maximum number of steps. The oldest is forgotten beyond it.
    /// - Throws: `CancellationError`; `SQLiteError`: with a ``RecordingProblem`` for a table that cannot be recorded, and an
    ///   ``UndoProblem`` for a limit below 1 and inside a closure of the database; `SQLITE_ERROR` (1) if SQLite was built
    ///   without sessions; as `Database.read(deadline:_:)`.
    public nonisolated(nonsending) convenience init(
        _ database: Database, tables: [String] = [], limit: Int = 100
    ) async throws {
        try Self.check(database, limit)
        let names = try await database.read { try $0.recordableTables(tables) }
        self.init(database, checked: names, limit)
    }

    /// Begins to record the changes of tables, and blocks the thread while it reads the schema. Asynchronous code uses
    /// the form that suspends.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - tables: The tables of `main`; without a name all tables, but those of a ``SyncLog``.
    ///   - limit: The maximum number of steps. The oldest is forgotten beyond it.
    /// - Throws: `SQLiteError` as the form that suspends.
    public convenience init(_ database: Database, tables: [String] = [], limit: Int = 100) throws {
        try Self.check(database, limit)
        let names = try database.blocking.read { try $0.recordableTables(tables) }
        self.init(database, checked: names, limit)
    }

    private init(_ database: Database, checked tables: [String], _ limit: Int) {
        self.database = database
        self.tables = tables
        self.limit = limit
        let steps = UndoSteps(limit: limit)
        self.steps = steps
        token = database.addObserver { connection in
            let recording = UndoRecording(steps, tables: tables)
            let follower = connection.transactionFollower
            follower.add(recording, on: connection)
            return ObserverToken { [unowned connection] in follower.remove(recording, on: connection) }
        }
    }

    private static func check(_ database: Database, _ limit: Int) throws {
        try Changeset.checkSessions()
        if limit < 1 { throw SQLiteError(UndoProblem.limit(limit)) }
        try checkIsOutsideClosures(of: database)
    }

    /// Throws inside a closure of a database.
    static func checkIsOutsideClosures(of database: Database) throws {
        if database.isUsedByThisThread { throw SQLiteError(UndoProblem.insideClosure) }
    }

    deinit { token.cancel() }
}

extension UndoHistory {
    /// The verbs of the history for synchronous code, under the same names. Does not compile in asynchronous code.
    @available(*, noasync, message: "blocks a thread that tasks share: leave out 'blocking', and write 'await'")
    public var blocking: Blocking { Blocking(history: self) }

    /// The verbs of a history that block the calling thread; see ``UndoHistory/blocking``.
    public struct Blocking {
        let history: UndoHistory
    }

    /// Whether there is a step to undo.
    public var canUndo: Bool { steps.next(.undo) != nil }

    /// Whether there is a step to redo. A new step ends this.
    public var canRedo: Bool { steps.next(.redo) != nil }

    /// The name of the step that ``undo()`` undoes; `nil` without one, and for a step without a name.
    public var undoName: String? { steps.next(.undo)?.name }

    /// The name of the step that ``redo()`` redoes; `nil` without one, and for a step without a name.
    public var redoName: String? { steps.next(.redo)?.name }

    /// Forgets all steps, for instance after tables were altered. The rows stay as they are.
    public func removeAll() { steps.removeAll() }
}
