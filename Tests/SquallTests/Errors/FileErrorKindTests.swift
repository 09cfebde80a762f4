import Foundation
import Squall
import SquallTestSupport
import Testing

/// The kinds of the errors of files, copies and backups.
struct FileErrorKindTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.db")
        connection = try Connection(path)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
    }

    @Test func openingNamesTheFile() throws {
        #expect(
            try errorKind { _ = try Connection(path, mode: .createNew) }
                == .problem(FileProblem.exists, of: .file(path)))
        #expect(
            try errorKind { _ = try Connection(path, mode: .immutable) }
                == .problem(FileProblem.hasUnappliedChanges, of: .file(path + "-wal")))
    }

    @Test func aCopyNeedsAnotherDatabase() throws {
        #expect(try errorKind { try connection.vacuum(into: ":memory:") } == .problem(UpkeepProblem.vacuumNeedsFile))
        #expect(
            try errorKind { try connection.deserialize(Data()) }
                == .problem(UpkeepProblem.notInMemory, of: .file(connection.fileName)))
        let kind = try errorKind { try connection.transaction { _ = try connection.serialize() } }
        #expect(kind == .problem(UpkeepProblem.serializedInsideTransaction))
    }

    // MARK: Backups

    private func backupError(to destination: Connection, pagesPerStep: Int32 = 1) throws -> SQLiteError {
        try sqliteError { try connection.backup(to: destination, pagesPerStep: pagesPerStep).run() }
    }

    @Test func aBackupNeedsTwoDatabases() throws {
        #expect(try backupError(to: connection).kind == .problem(BackupProblem.sameConnection))
        #expect(try backupError(to: Connection(path)).kind == .problem(BackupProblem.sameFile))
        #expect(try backupError(to: Connection(), pagesPerStep: 0).kind == .problem(BackupProblem.noPages))
    }

    @Test func aBackupNeedsADestinationThatIsNotInUse() throws {
        let destination = try Connection()
        try destination.execute("CREATE TABLE old(a); INSERT INTO old VALUES(1)")
        let kind = try destination.transaction { try backupError(to: destination).kind }
        #expect(kind == .problem(BackupProblem.destinationInTransaction))
        let statement = try destination.prepare("SELECT a FROM old")
        try statement.step()
        #expect(try backupError(to: destination).kind == .problem(BackupProblem.destinationHasBusyStatement))
    }

    @Test func anUnfinishedBackupHasItsConnections() throws {
        let (source, destination) = (try Connection(), try Connection())
        try source.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(20000))")
        var errors: [SQLiteError] = []
        try source.backup(to: destination, pagesPerStep: 1).run { progress in
            guard errors.isEmpty, progress.remaining > 0 else { return }
            errors = [
                try sqliteError { try destination.run("SELECT 1") },
                try sqliteError { try source.deserialize(Data()) },
                try backupError(to: source),
            ]
        }
        #expect(
            errors.map(\.kind) == [
                .problem(BackupProblem.unfinishedDestination), .problem(BackupProblem.unfinishedSource),
                .problem(BackupProblem.destinationIsSource),
            ])
        #expect(errors.map(\.resultCode) == [.busy, .busy, .error])
    }
}
