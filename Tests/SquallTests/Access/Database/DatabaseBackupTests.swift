import Foundation
import Squall
import SquallTestSupport
import Testing

/// `Database.backup(to:)`.
struct DatabaseBackupTests {
    private let directory: TemporaryDirectory
    private let copy: String

    init() throws {
        directory = try TemporaryDirectory()
        copy = directory.file("copy.db")
    }

    private func open() throws -> Database {
        let database = try Database(directory.file("app.db"))
        try fill(database)
        return database
    }

    private func fill(_ database: Database) throws {
        try database.blocking.write { connection in
            try connection.execute("CREATE TABLE t(a)")
            for _ in 0..<50 { try connection.run("INSERT INTO t VALUES(randomblob(3000))") }
        }
    }

    private func rows(in path: String) throws -> Int {
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        #expect(try connection.quickCheck() == [])
        return try connection.query("SELECT count(*) FROM t")
    }

    private var copyExists: Bool { FileManager.default.fileExists(atPath: copy) }

    @Test func theProgressIsASequence() async throws {
        let databases = [try open(), try Database()]
        try fill(databases[1])
        for (number, database) in databases.enumerated() {
            var steps: [BackupProgress] = []
            let path = directory.file("copy\(number)")
            for try await progress in database.backup(to: path, pagesPerStep: 10) { steps.append(progress) }
            #expect(steps.count > 4)
            #expect(steps.last?.remaining == 0)
            #expect(steps.map(\.remaining) == steps.map(\.remaining).sorted(by: >))
            #expect(try rows(in: path) == 50)
        }
    }

    @Test func theProgressIsReportedToAClosure() throws {
        let database = try open()
        var fractions: [Double] = []
        try database.blocking.backup(to: copy, pagesPerStep: 10) { fractions.append($0.fractionCompleted) }
        #expect(fractions.count > 4)
        #expect(fractions.last == 1)
        #expect(try rows(in: copy) == 50)
        // An existing database is overwritten.
        try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM t WHERE rowid > 7") }
        try database.blocking.backup(to: copy)
        #expect(try rows(in: copy) == 7)
    }

    @Test func theDatabaseIsWrittenDuringTheBackup() async throws {
        let database = try open()
        var writes = 0
        for try await _ in database.backup(to: copy, pagesPerStep: 10) {
            try await database.write { try $0.run("INSERT INTO t VALUES(zeroblob(3000))") }
            writes += 1
        }
        // The last step may have copied a write, or not.
        #expect(writes > 1)
        #expect((50 + writes - 1...50 + writes).contains(try rows(in: copy)))
    }

    @Test func anExistingFileIsUnchangedByABackupThatEndsEarly() async throws {
        let database = try open()
        try blocking { try database.blocking.backup(to: copy) }
        try await database.write { try $0.run("DELETE FROM t") }
        for try await _ in database.backup(to: copy, pagesPerStep: 10) { break }
        #expect(try rows(in: copy) == 50)
    }

    @Test func closingTheDatabaseEndsTheBackup() async throws {
        for closes in [true, false] {
            let database = try Database(directory.file("app\(closes).db"))
            try fill(database)
            let error = await #expect(throws: SQLiteError.self) {
                for try await _ in database.backup(to: copy, pagesPerStep: 10) {
                    if closes { try blocking { try database.blocking.close() } } else { try await database.close() }
                    #expect(!copyExists)
                }
            }
            #expect(error?.kind == .closed(.database))
            #expect(!copyExists)
            let late = await #expect(throws: SQLiteError.self) {
                for try await _ in database.backup(to: copy) {}
            }
            #expect(late?.kind == .closed(.database))
        }
    }

    @Test func destinationsThatAreRefused() async throws {
        let database = try open()
        for path in ["", ":memory:"] {
            #expect(
                try errorKind { try database.blocking.backup(to: path) } == .problem(BackupProblem.destinationNeedsFile))
        }
        let same = try errorKind { try database.blocking.backup(to: directory.file("app.db")) }
        #expect(same == .problem(BackupProblem.sameFile))
        #expect(
            try errorKind { try database.blocking.backup(to: copy, pagesPerStep: 0) } == .problem(BackupProblem.noPages))
        #expect(!copyExists)
        let missing = try sqliteError { try database.blocking.backup(to: directory.file("none/copy.db")) }
        #expect(missing.resultCode == .cantOpen)
        try Data("text, and not a database, but long enough to have a header".utf8)
            .write(to: URL(fileURLWithPath: copy))
        #expect(throws: SQLiteError.self) { try database.blocking.backup(to: copy) }
    }

    @Test func insideOtherClosures() throws {
        let database = try open()
        try database.blocking.read { _ in try database.blocking.backup(to: copy) }
        #expect(try rows(in: copy) == 50)
        try database.blocking.write { connection in
            try connection.run("DELETE FROM t")
            try database.blocking.backup(to: copy)
        }
        // The transaction had not been committed.
        #expect(try rows(in: copy) == 50)
    }

    @Test func aDestinationThatIsDeletedOrReplacedIsAnError() async throws {
        let database = try open()
        for isReplaced in [false, true] {
            let change = {
                try FileManager.default.removeItem(atPath: copy)
                if isReplaced { try Data("another file".utf8).write(to: URL(fileURLWithPath: copy)) }
            }
            let kind: SQLiteError.Kind =
                isReplaced
                ? .problem(FileProblem.replaced, of: .file(copy)) : .problem(FileProblem.moved, of: .file(copy))
            let steps = Shared(0)
            let error = try sqliteError {
                try blocking {
                    try database.blocking.backup(to: copy, pagesPerStep: 10) { progress in
                        #expect(progress.remaining > 0)
                        if steps.next() == 1 { try change() }
                    }
                }
            }
            #expect(error.kind == kind)
            #expect(error.extendedResultCode == .fileMoved)
            // The other file is not removed as if the backup had created it.
            #expect(copyExists == isReplaced)
            try? FileManager.default.removeItem(atPath: copy)

            steps.update { $0 = 0 }
            let second = await #expect(throws: SQLiteError.self) {
                for try await _ in database.backup(to: copy, pagesPerStep: 10) where steps.next() == 1 { try change() }
            }
            #expect(second?.kind == kind)
            try? FileManager.default.removeItem(atPath: copy)

            let destination = try Connection(copy)
            let source = try Connection(directory.file("app.db"))
            steps.update { $0 = 0 }
            let third = try sqliteError {
                try source.backup(to: destination, pagesPerStep: 10).run { _ in if steps.next() == 1 { try change() } }
            }
            #expect(third.kind == kind)
            try? FileManager.default.removeItem(atPath: copy)
        }
    }

    @Test func aReplacedDestinationIsKeptWhenTheBackupEndsEarly() throws {
        struct Stop: Error {}
        let database = try open()
        #expect(throws: Stop.self) {
            try database.blocking.backup(to: copy, pagesPerStep: 10) { _ in
                try FileManager.default.removeItem(atPath: copy)
                try Data("another file".utf8).write(to: URL(fileURLWithPath: copy))
                throw Stop()
            }
        }
        #expect(copyExists)
    }

    @Test func aDatabaseInMemoryIsNotCopiedInsideATransaction() throws {
        let database = try Database()
        try fill(database)
        try database.blocking.write { connection in
            try connection.run("DELETE FROM t")
            let error = try sqliteError { try database.blocking.backup(to: copy) }
            #expect(error.kind == .problem(BackupProblem.sourceInTransaction))
            #expect(error.resultCode == .misuse)
            #expect(!copyExists)
        }
        try database.blocking.read { _ in try database.blocking.backup(to: copy) }
        #expect(try rows(in: copy) == 0)
    }

    @Test func aDatabaseThatIsReadOnlyIsBackedUp() throws {
        try open().blocking.close()
        let database = try Database(directory.file("app.db"), mode: .readOnly)
        try database.blocking.backup(to: copy)
        #expect(try rows(in: copy) == 50)
    }
}
