import Foundation
import Squall
import SquallTestSupport
import Testing

/// `vacuum(into:)` beside a write, and copies that end before they are whole.
@Suite(.timeLimit(.minutes(10)))
struct VacuumThreadTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open() throws -> Database {
        let database = try Database(path)
        try database.blocking.write { connection in
            try connection.execute("CREATE TABLE t(a)")
            for _ in 0..<10 { try connection.run("INSERT INTO t VALUES(randomblob(3000))") }
        }
        return database
    }

    private func rows(in path: String) throws -> Int {
        try Connection(path, mode: .readOnly, configuration: .sqlite).query("SELECT count(*) FROM t")
    }

    @Test func aCopyIsWrittenBesideAWrite() async throws {
        for (number, database) in [try open(), try Database()].enumerated() {
            try await database.write { try $0.execute("CREATE TABLE IF NOT EXISTS t(a)") }
            let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
            try await database.vacuum(into: directory.file("copy\(number)"))
            #expect(try rows(in: directory.file("copy\(number)")) == count)
            try blocking { try database.blocking.vacuum(into: directory.file("second\(number)")) }
            #expect(try rows(in: directory.file("second\(number)")) == count)
            // The reader that has written the copy only reads again.
            let error = try sqliteError { try blocking { try database.blocking.read { try $0.run("DELETE FROM t") } } }
            #expect(error.resultCode == .readOnly)
            #expect(try await database.read { try $0.query("PRAGMA query_only") as Int } == (number == 0 ? 1 : 0))
        }
        let database = try Database(path)
        try blocking {
            try database.blocking.write { connection in
                try connection.run("DELETE FROM t")
                let copy = directory.file("beside")
                try ThreadResult { try database.blocking.vacuum(into: copy) }.get()
                #expect(try rows(in: copy) == 10)
            }
        }
    }

    @Test func aCancellationAndADeadlineLeaveNoFile() async throws {
        let database = try open()
        try await database.write { connection in
            let many: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
            try connection.run("\(many) INSERT INTO t SELECT randomblob(100) FROM n")
            try connection.execute("CREATE INDEX ta ON t(a)")
        }
        let copy = directory.file("copy")
        let error = await #expect(throws: SQLiteError.self) {
            try await database.vacuum(into: copy, deadline: .milliseconds(5))
        }
        #expect(error?.resultCode == .interrupt)
        #expect(!FileManager.default.fileExists(atPath: copy))
        let (isRunning, wasCancelled) = (Gate(), Gate())
        let token = database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { _ in
            isRunning.open()
            wasCancelled.wait()
        }
        let task = Task { try await database.vacuum(into: copy) }
        await isRunning.passed()
        task.cancel()
        wasCancelled.open()
        let result = await task.result
        token.cancel()
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(!FileManager.default.fileExists(atPath: copy))
        try await database.vacuum(into: copy)
    }

    /// The process may write files of at most 100 KB.
    @Test func aFullDiskLeavesNoFile() throws {
        let database = try open()
        try database.blocking.write { connection in
            for _ in 0..<100 { try connection.run("INSERT INTO t VALUES(randomblob(3000))") }
        }
        try database.blocking.close()
        let lines = try TestProcess(["full", path]).end().output.split(separator: "\n")
        #expect(lines.count == 2)
        // SQLITE_IOERR or SQLITE_FULL, and no file.
        for line in lines { #expect(["10 false", "13 false"].contains(line)) }
    }
}
