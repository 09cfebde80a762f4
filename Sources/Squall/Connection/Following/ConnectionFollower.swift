/// Follows what a connection does: its transactions, rows, checkpoints and statements.
///
/// The rooms above this one reach into a connection by followers alone. A follower implements the methods of the events that it
/// names in ``events``; those that belong to no event are called for every follower.
///
///     final class RowCounter: ConnectionFollower {
///         let events: FollowedEvents = .rows
///         var count = 0
///
///         func willChange(_ row: RowChange, on connection: Connection) { count += 1 }
///     }
///
///     connection.follow(counter)
///     …
///     connection.unfollow(counter)
///
/// Called on the thread that uses the connection, which retains its followers. In the events of transactions, the connection has no handle, as in a hook.
package protocol ConnectionFollower: AnyObject {
    /// The events that the follower receives now. After a change, ``ConnectionFollowers/update()`` is called.
    var events: FollowedEvents { get }

    // MARK: Transactions

    /// A statement is about to run that may commit the open transaction (``FollowedEvents/ends``). After an error, it does not run.
    func willEndTransaction(on connection: Connection, by verb: StatementVerb) throws

    /// A transaction that has written commits, and no hook has refused it (``FollowedEvents/transactions``). SQLite calls a hook.
    func willCommit(on connection: Connection)

    /// A transaction was rolled back (``FollowedEvents/transactions``). SQLite calls a hook.
    func didRollBack(on connection: Connection)

    /// A commit was written to the log of a database (``FollowedEvents/log``).
    func didWriteLog(of database: String, pageCount: Int)

    /// A statement has ended after ``Connection/awaitEndOfStatement()``.
    func didEndStatement(on connection: Connection)

    /// A statement has ended after ``Callbacks/isCommitting`` was set. Called after ``didEndStatement(on:)`` of all followers: who is
    /// told of a commit may ask for what was recorded.
    func didEndCommit(on connection: Connection)

    /// A statement that begins, releases or rolls back to a savepoint has run.
    func didRun(_ action: SavepointAction)

    // MARK: Rows

    /// A row is about to be inserted, updated or deleted (``FollowedEvents/rows``). SQLite calls a hook, after its own sessions.
    func willChange(_ row: RowChange, on connection: Connection)

    /// Bytes of a value have been written, which the update hook does not report.
    func didWriteValue(in table: String, of database: String)

    /// A backup has replaced a database of the connection.
    func didReplaceDatabase(of connection: Connection)

    // MARK: Statements

    /// SQLite compiles an action of a statement (``FollowedEvents/actions``).
    func willCompile(_ action: CompiledAction, on connection: Connection)

    /// A statement of a read is about to run (``FollowedEvents/reads``).
    func willStart(_ statement: Statement, on connection: Connection)

    /// A column of a table is about to be read without a statement (``FollowedEvents/reads``).
    func willRead(_ column: Identifier, of table: TableName)

    /// The statements of the connection that are on a row are ended.
    func willEndStatements()

    // MARK: Checkpoints

    /// A checkpoint of the program begins, not an automatic one. The snapshots of other connections would block it.
    func willCheckpoint()

    /// A checkpoint has ended, except one of `PRAGMA wal_checkpoint` (``FollowedEvents/checkpoints``).
    func didCheckpoint(_ run: CheckpointRun)

    /// The connection no longer needs what ``willCheckpoint()`` has ended.
    func didEndCheckpoint()
}

package extension ConnectionFollower {
    func willEndTransaction(on connection: Connection, by verb: StatementVerb) {}
    func willCommit(on connection: Connection) {}
    func didRollBack(on connection: Connection) {}
    func didWriteLog(of database: String, pageCount: Int) {}
    func didEndStatement(on connection: Connection) {}
    func didEndCommit(on connection: Connection) {}
    func didRun(_ action: SavepointAction) {}
    func willChange(_ row: RowChange, on connection: Connection) {}
    func didWriteValue(in table: String, of database: String) {}
    func didReplaceDatabase(of connection: Connection) {}
    func willCompile(_ action: CompiledAction, on connection: Connection) {}
    func willStart(_ statement: Statement, on connection: Connection) {}
    func willRead(_ column: Identifier, of table: TableName) {}
    func willEndStatements() {}
    func willCheckpoint() {}
    func didCheckpoint(_ run: CheckpointRun) {}
    func didEndCheckpoint() {}
}

/// A row that is about to be changed, without its values. Valid inside the hook.
package struct RowChange {
    /// `SQLITE_INSERT`, `SQLITE_UPDATE` or `SQLITE_DELETE`.
    package let type: Int32
    package let database: UnsafePointer<CChar>
    package let table: UnsafePointer<CChar>
    package let oldRowID: Int64
    package let newRowID: Int64
    /// The handle with which the values of the row can be read.
    package let handle: OpaquePointer
}

/// An action that SQLite reports to an authorizer, also of internal statements. Valid inside the call.
package struct CompiledAction {
    /// The code of the action, such as `SQLITE_READ`.
    let code: Int32
    let first: UnsafePointer<CChar>?
    let second: UnsafePointer<CChar>?
    let database: UnsafePointer<CChar>?
}

/// A checkpoint that has ended, as the connection reports it to its database.
package struct CheckpointRun {
    /// The mode, as SQLite numbers it.
    let mode: Int32
    /// Whether a commit has run it.
    let isAutomatic: Bool
    /// The numbers of frames that `sqlite3_wal_checkpoint_v2` returns, or the error.
    let result: Result<(logFrames: Int, checkpointedFrames: Int), any Error>
    let duration: Duration
}
