import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// `vacuum` and `vacuum(into:)` of a database.
struct DatabaseVacuumTests {
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
            for _ in 0..<100 { try connection.run("INSERT INTO t VALUES(randomblob(3000))") }
            try connection.run("DELETE FROM t WHERE rowid > 10")
        }
        return database
    }

    private func pages(_ database: Database) async throws -> Int {
        try await database.read { try $0.query("PRAGMA page_count") }
    }

    private func rows(in path: String) throws -> Int {
        try Connection(path, mode: .readOnly, configuration: .sqlite).query("SELECT count(*) FROM t")
    }

    @Test func copiesGeneratedColumnsBesideCheckConstraints() async throws {
        let (database, copies) = (try Database(path), [directory.file("a.db"), directory.file("b.db")])
        try await database.write { try $0.execute("CREATE TABLE t(a, b AS (a), CHECK(a)); INSERT INTO t VALUES(1)") }
        try await database.vacuum(into: copies[0], deadline: .seconds(60))
        try blocking { try database.blocking.vacuum(into: copies[1]) }
        #expect(try [rows(in: copies[0]), rows(in: copies[1])] == [1, 1])
    }

    @Test func givesFreePagesBack() async throws {
        let database = try open()
        #expect(try await pages(database) > 90)
        try await database.vacuum()
        #expect(try await pages(database) < 20)
        try await database.write { try $0.run("DELETE FROM t") }
        try blocking { try database.blocking.vacuum() }
        #expect(try await pages(database) == 2)
        try blocking {
            try database.blocking.read { _ in
                let kind = try errorKind { try database.blocking.vacuum() }
                #expect(kind == .insideRead(.write))
            }
            try database.blocking.write { _ in
                let error = try sqliteError { try database.blocking.vacuum() }
                #expect(error.resultCode == .error)
            }
        }
    }

    @Test func insideOtherClosures() throws {
        let (database, copy) = (try open(), directory.file("copy"))
        try database.blocking.read { _ in
            let error = try sqliteError { try database.blocking.vacuum(into: copy) }
            #expect(error.resultCode == .readOnly)
        }
        try database.blocking.write { _ in
            let error = try sqliteError { try database.blocking.vacuum(into: copy) }
            #expect(error.resultCode == .error)
        }
        try database.blocking.writeWithoutTransaction { _ in
            let error = try sqliteError { try database.blocking.vacuum(into: copy, deadline: .zero) }
            #expect(error.resultCode == .interrupt)
            try database.blocking.vacuum(into: copy)
        }
        #expect(try rows(in: copy) == 10)
        #expect(try sqliteError { try database.blocking.vacuum(into: copy) }.message == "output file already exists")
        #expect(
            try errorKind { try database.blocking.vacuum(into: ":memory:") } == .problem(UpkeepProblem.vacuumNeedsFile))
    }

    @Test func aDatabaseThatIsReadOnlyCanBeCopied() throws {
        try open().blocking.close()
        let database = try Database(path, mode: .readOnly)
        try database.blocking.vacuum(into: directory.file("copy"))
        #expect(try rows(in: directory.file("copy")) == 10)
        #expect(try sqliteError { try database.blocking.vacuum() }.resultCode == .readOnly)
    }

    /// Interrupts a vacuum at each place where SQLite calls the progress handler. At some of them, the text of SQLite's error is
    /// "unable to open database".
    @Test(arguments: [SQLiteError.InterruptionReason.request, .cancellation])
    func anInterruptAtEachPlaceIsAnInterrupt(_ reason: SQLiteError.InterruptionReason) throws {
        let connection = try Connection(path)
        for number in 0..<2 { try connection.execute("CREATE TABLE \(name: "t\(number)")(a UNIQUE)") }
        let copy = directory.file("copy")
        var interrupted = 0
        for end in 1...300 {
            let (connection, cancellation) = (try Connection(path), Cancellation())
            var calls = 0
            try connection.progressHandler(every: 1) {
                calls += 1
                guard calls == end else { return .proceed }
                if reason == .request { return .interrupt }
                cancellation.cancel()
                return .proceed
            }
            do {
                try connection.withCancellation(cancellation) { try connection.vacuum(into: copy) }
                break
            } catch let error as SQLiteError {
                try #require(error.kind == .interrupted(reason), "\(error)")
                try #require(error.message.hasPrefix("interrupted"))
                try #require(!FileManager.default.fileExists(atPath: copy))
                interrupted += 1
            }
        }
        #expect(interrupted > 10)
    }

    @Test(arguments: [Connection.ProgressResult.interrupt, .proceed])
    func aFileThatReplacesTheCopyIsKept(_ result: Connection.ProgressResult) throws {
        let connection = try Connection(path)
        try connection.execute("CREATE TABLE many(a)")
        for number in 0..<1000 { try connection.run("INSERT INTO many VALUES(\(number))") }
        let copy = directory.file("copy")
        var calls = 0
        // The copying of the rows takes several thousand calls.
        try connection.progressHandler(every: 1) {
            calls += 1
            guard calls == 1000 else { return .proceed }
            try? FileManager.default.removeItem(atPath: copy)
            try? Data("precious".utf8).write(to: URL(fileURLWithPath: copy))
            return result
        }
        let error = try sqliteError { try connection.vacuum(into: copy) }
        #expect(calls >= 1000)
        #expect(
            error.kind
                == (result == .interrupt ? .interrupted(.request) : .problem(FileProblem.replaced, of: .file(copy))))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("precious".utf8))
    }

    @Test func aClosedDatabase() throws {
        let database = try open()
        try database.blocking.close()
        #expect(try errorKind { try database.blocking.vacuum() } == .closed(.database))
        #expect(try errorKind { try database.blocking.vacuum(into: directory.file("copy")) } == .closed(.database))
    }

    @Test func aCopyIsWrittenBeforeItsDeadline() throws {
        let copy = directory.file("copy.db")
        try open().blocking.vacuum(into: copy, deadline: .seconds(3600))
        #expect(try rows(in: copy) == 10)
    }
}
