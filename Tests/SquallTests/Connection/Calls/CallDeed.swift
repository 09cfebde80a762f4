import SquallChanges
import Foundation
import Squall
import Testing

/// Something that would free memory which SQLite uses during a call.
struct CallDeed: Sendable, CustomTestStringConvertible {
    /// The result of a deed in code that may run statements.
    enum Outcome {
        /// It is done: at once, or when SQLite has returned.
        case done
        /// It is done, or SQLite refuses it.
        case any
        /// It throws an error of one of these kinds, or of this code.
        case refused([SQLiteError.Kind], ResultCode)
    }

    let name: String
    let outcome: Outcome
    /// Whether it is an error in a hook.
    var usesConnection = true
    /// Whether it is possible with a database in memory only.
    var needsMemory = false
    var prepare: @Sendable (CallScene) throws -> Void = { _ in }
    let perform: @Sendable (CallScene) throws -> Void

    var testDescription: String { name }

    static let close = CallDeed(name: "close", outcome: .done, usesConnection: false) { $0.connection.close() }

    static let all: [CallDeed] = [close] + statements + databases + definitions + schema
}

// MARK: - The deeds

extension CallDeed {
    private static let statements: [CallDeed] = [
        CallDeed(name: "release a statement", outcome: .done, usesConnection: false) {
            $0.statement = try $0.connection.prepare("SELECT a FROM t")
        } perform: {
            $0.statement = nil
        },
        CallDeed(name: "release a statement on a row", outcome: .done, usesConnection: false) {
            try beginReading($0)
        } perform: {
            $0.statement = nil
        },
        CallDeed(name: "release a cursor on a row", outcome: .done, usesConnection: false) {
            $0.cursor = try $0.connection.rows("SELECT id FROM t", as: Int.self)
            _ = try $0.cursor?.next()
        } perform: {
            $0.cursor = nil
        },
        CallDeed(
            name: "reset a statement on a row", outcome: .refused([.statementInUse], .misuse), usesConnection: false
        ) {
            try beginReading($0)
        } perform: {
            try $0.statement?.reset()
        },
        CallDeed(name: "stop a recorder", outcome: .done, usesConnection: false) {
            $0.recorder = try $0.connection.startRecording(in: ["t", "other"])
        } perform: {
            $0.recorder = nil
        },
    ]

    private static let databases: [CallDeed] = [
        statement("attach a database", "ATTACH ':memory:' AS third", .refused([], .locked)),
        statement("detach a database", "DETACH first", .refused([], .locked)),
        CallDeed(
            name: "deserialize",
            outcome: .refused(
                [
                    .problem(BackupProblem.destinationHasBusyStatement),
                    .problem(UpkeepProblem.serializedInsideTransaction),
                ], .error),
            needsMemory: true
        ) {
            try $0.connection.deserialize(Data())
        },
        CallDeed(
            name: "be the destination of a backup",
            outcome: .refused(
                [
                    .problem(BackupProblem.destinationHasBusyStatement),
                    .problem(BackupProblem.destinationInTransaction),
                ], .error)
        ) {
            try Connection(":memory:").backup(to: $0.connection).run()
        },
        statement("vacuum", "VACUUM", .any),
        statement("vacuum an attached database", "VACUUM second", .any),
    ]

    private static let definitions: [CallDeed] = [
        CallDeed(name: "replace a function", outcome: changed("replaced")) {
            try $0.connection.addFunction("replaced") { 2 }
        },
        CallDeed(name: "remove a function", outcome: changed("replaced")) {
            try $0.connection.removeFunction(named: "replaced", argumentCount: 0)
        },
        CallDeed(name: "replace a collation", outcome: changed("replaced")) {
            try $0.connection.addCollation("replaced") { (_: String, _: String) in .orderedAscending }
        },
        CallDeed(name: "replace a module", outcome: changed("replaced")) {
            try $0.connection.register(named: "replaced") { _ in EmptyTable() }
        },
        CallDeed(name: "remove a module", outcome: changed("replaced")) {
            try $0.connection.removeModule(named: "replaced")
        },
    ]

    private static let schema: [CallDeed] = [
        statement("drop a table", "DROP TABLE other", .any),
        statement("drop a trigger", "DROP TRIGGER other_insert", .any),
        statement("create an index", "CREATE INDEX other_a ON other(a)", .any),
        statement("add a column", "ALTER TABLE other ADD COLUMN c", .any),
        statement("rename a table", "ALTER TABLE other RENAME TO others", .any),
        statement("create a table", "CREATE TABLE made(a)", .any),
        statement("read the schema again", "PRAGMA writable_schema = RESET", .refused([], .locked)),
        statement("replace the temporary database", "CREATE TEMP TABLE made(a); PRAGMA temp_store = MEMORY", .any),
        statement("explain its replacement", "EXPLAIN PRAGMA main.temp_store(2)", .refused([], .locked)),
        statement("delete all rows", "DELETE FROM t", .any),
        statement("delete a row", "DELETE FROM t WHERE id = 3", .any),
        statement("roll back", "ROLLBACK", .any),
        statement("begin and roll back", "BEGIN; CREATE TABLE made(a); ROLLBACK", .any),
        statement("commit", "COMMIT", .any),
        statement("roll back to a savepoint", "ROLLBACK TO outer", .any),
        statement(
            "replace or roll back", "CREATE TABLE made(a UNIQUE); INSERT OR ROLLBACK INTO made VALUES(1), (1)", .any),
        statement("create a virtual table that fails", "CREATE VIRTUAL TABLE made USING failing", .any),
        CallDeed(name: "drop a table and go on", outcome: .any) { scene in
            defer { for _ in 0..<2 { _ = try? scene.connection.query("SELECT count(*) FROM first.one") as Int } }
            try scene.connection.execute("DROP TABLE other")
        },
        CallDeed(name: "throw in a transaction or a savepoint", outcome: .any) { scene in
            try scene.connection.savepoint {
                try scene.connection.execute("CREATE TABLE made(a)")
                throw SQLiteError(code: 1, message: "a failure")
            }
        },
        CallDeed(name: "add a function", outcome: .any) { try $0.connection.addFunction("added") { 1 } },
    ]

    private static func statement(_ name: String, _ sql: SQL, _ outcome: Outcome) -> CallDeed {
        CallDeed(name: name, outcome: outcome) { try $0.connection.execute(sql) }
    }

    private static func changed(_ name: String) -> Outcome {
        .refused([.problem(FunctionProblem.changedDuringCall(name: name))], .busy)
    }

    private static func beginReading(_ scene: CallScene) throws {
        scene.statement = try scene.connection.prepare("SELECT a FROM t")
        try scene.statement?.step()
    }
}
