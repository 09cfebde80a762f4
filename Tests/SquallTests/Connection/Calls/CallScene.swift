import SquallChanges
import Foundation
import SquallTestSupport
import Squall

/// A connection on which code of the user is called by SQLite, and does something once.
final class CallScene {
    let connection: Connection
    /// The path of the database; `nil` for a database in memory.
    let path: String?
    private let directory: TemporaryDirectory?
    /// The tables that statements of places and deeds write to.
    static let tables = ["t", "other", "made", "earlier"]

    /// The work of the code.
    var deed: (() throws -> Void)?
    private var isArmed = false
    /// Whether the statement that calls the code is running.
    private(set) var isEntered = false
    /// Whether the code has been called.
    private(set) var hasCalled = false
    /// The error that the deed has thrown.
    private(set) var error: (any Error)?

    // Objects that deeds release.
    var statement: Statement?
    var cursor: RowCursor<Int>?
    var recorder: ChangeRecorder?

    init(onDisk: Bool) throws {
        directory = onDisk ? try TemporaryDirectory() : nil
        path = directory?.file("calls.db")
        var configuration = Configuration.sqlite
        configuration.synchronous = .off
        configuration.trustedSchema = true
        connection = try Connection(path ?? ":memory:", configuration: configuration)
        if onDisk { try connection.execute("PRAGMA journal_mode = WAL") }
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
            CREATE TABLE other(id INTEGER PRIMARY KEY, a);
            CREATE TRIGGER other_insert AFTER INSERT ON other BEGIN SELECT 1; END;
            INSERT INTO t(a, b) VALUES(1, 'x'), (2, 'z'), (3, 'y');
            ATTACH ':memory:' AS first;
            ATTACH ':memory:' AS second;
            CREATE TABLE first.one(a);
            CREATE TABLE second.two(a);
            """)
        try connection.addFunction("replaced") { 1 }
        try connection.addCollation("replaced") { (_: String, _: String) in .orderedSame }
        try connection.register(named: "replaced") { _ in EmptyTable() }
        try connection.register(named: "failing") { (_) -> EmptyTable in
            throw SQLiteError(code: 1, message: "a failure")
        }
        try connection.run("SELECT replaced() FROM replaced")
    }

    /// Called by the code of the user that SQLite calls.
    func call() {
        guard isArmed, let deed else { return }
        isArmed = false
        hasCalled = true
        do { try deed() } catch { self.error = error }
    }

    /// Calls a closure in which SQLite calls the code. Its error is that of the statement.
    func whileArmed(_ body: () throws -> Void) throws {
        (isArmed, isEntered) = (true, true)
        defer { (isArmed, isEntered) = (false, false) }
        do { try body() } catch is SQLiteError {} catch is CallFailure {}
    }

    /// Runs a statement, and reads its rows, while SQLite may call the code.
    func run(_ sql: SQL) throws {
        try whileArmed { try connection.forEach(sql) { _ in } }
    }

    /// An object whose `deinit` is the code.
    func releasing() -> Releasing { Releasing(self) }

    final class Releasing {
        private weak var scene: CallScene?

        init(_ scene: CallScene) { self.scene = scene }

        deinit { scene?.call() }
    }
}

/// An error of the code, whose description is code too.
struct CallFailure: Error, CustomStringConvertible {
    // Used on the thread of the scene only.
    nonisolated(unsafe) let describe: () -> Void

    var description: String {
        describe()
        return "the code has failed"
    }
}

struct EmptyTable: TableSource {
    let columns = [VirtualColumn<Int>("a") { $0 }]
    func rows(_ scan: borrowing Scan) -> [Int] { [1] }
}
