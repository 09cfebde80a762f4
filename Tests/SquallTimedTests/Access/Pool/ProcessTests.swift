import Foundation
import Squall
import SquallTestSupport
import Testing

/// Several processes with one file, and processes that are killed.
@Suite(.timeLimit(.minutes(10)))
struct ProcessTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    @Test func sixProcessesLoseNoUpdate() throws {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE TABLE counter(number INTEGER); INSERT INTO counter VALUES(0)")
        }
        let processes = try (0..<6).map { _ in try TestProcess(["increment", path, "40"]) }
        for process in processes { #expect(try process.end().code == 0) }
        #expect(try database.blocking.read { try $0.query("SELECT number FROM counter") } == 240)
    }

    @Test func aProcessThatIsKilledLosesNothingThatItHasAcknowledged() throws {
        try Connection(path).execute("CREATE TABLE t(id INTEGER PRIMARY KEY, batch INTEGER, x BLOB)")
        var last = 0
        var acknowledged = 0
        for round in 0..<50 {
            let process = try TestProcess(["commit", path, "\(last + 1)"])
            var output = process.firstOutput()
            // A little further each time, so that it is killed at different places.
            for _ in 0..<(round % 5) { output += process.firstOutput() }
            process.kill()
            output += try process.end().output
            let batches = output.split(separator: "\n").compactMap { Int($0) }
            acknowledged += batches.count
            let connection = try Connection(path)
            let found: [Int] = try connection.query("SELECT DISTINCT batch FROM t ORDER BY batch")
            // The last one may have been committed without having been acknowledged.
            #expect(found == Array(1...found.count))
            #expect(found.count >= batches.last ?? last)
            let torn =
                try connection.query(
                    "SELECT count(*) FROM (SELECT 1 FROM t GROUP BY batch HAVING count(*) <> 5)") as Int
            #expect(torn == 0)
            #expect(try connection.query("PRAGMA integrity_check") == "ok")
            last = found.count
        }
        #expect(acknowledged >= 50)
    }

    /// What the parent has opened throws in the child, and goes on in the parent.
    @Test func aForkedChildCannotUseWhatItsParentHasOpened() throws {
        #expect(try TestProcess(["fork", path]).end().code == 0)
        #expect(try Connection(path).query("SELECT count(*) FROM parent") == 0)
    }

    @Test func insideAClosureAForkedChildCannotUseTheDatabase() throws {
        #expect(try TestProcess(["fork-inside", path]).end().code == 0)
    }

    @Test func aForkedChildDoesNotRemoveTheBackupOfItsParent() throws {
        #expect(try TestProcess(["fork-backup", path]).end().code == 0)
    }

    @Test func aFullDiskLosesOnlyWhatIsBeingWritten() throws {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { connection in
            try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES('old')")
            try connection.run("PRAGMA max_page_count = 50")
        }
        let write = {
            try database.blocking.write { connection in
                for _ in 0..<100 { try connection.run("INSERT INTO t VALUES(randomblob(4000))") }
            }
        }
        #expect(try sqliteError { try write() }.resultCode == .full)
        let count = { try database.blocking.read { try $0.query("SELECT count(*) FROM t") as Int } }
        #expect(try count() == 1)
        // A closure that catches the error and goes on does half of its work no more.
        let error = try sqliteError {
            try database.blocking.write { connection in
                for _ in 0..<100 { try? connection.run("INSERT INTO t VALUES(randomblob(4000))") }
            }
        }
        #expect([.full, .abort].contains(error.resultCode))
        #expect(try count() == 1)
        try database.blocking.writeWithoutTransaction { try $0.run("PRAGMA max_page_count = 100000") }
        try write()
        #expect(try count() == 101)
        #expect(try database.blocking.read { try $0.query("PRAGMA integrity_check") } == "ok")
    }
}
