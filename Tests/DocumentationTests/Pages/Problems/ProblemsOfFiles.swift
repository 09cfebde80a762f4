// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Problems of files, copies and large values".
struct FileProblemSnippets {
    private let directory: TemporaryDirectory
    private let path: String
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("files.db")
        connection = try Connection(path)
        try connection.execute("""
            PRAGMA foreign_keys = ON;
            CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT UNIQUE, body BLOB);
            INSERT INTO files VALUES(1, 'one', x'010203'), (2, 'two', NULL), (3, 'three', 4.5);
            """)
    }

    @Test func files() throws {
        expect(FileProblem.exists, "there is already a file at \(path)") {
            try Connection(path, mode: .createNew)
        }
        let log = path + "-wal"
        // Open it with another mode once, which applies them.
        expect(
            FileProblem.hasUnappliedChanges,
            "the database has changes that are not in its file: \(log)"
        ) {
            try Connection(path, mode: .immutable)
        }
        let database = try Database(path)
        try FileManager.default.removeItem(atPath: path)
        expect(FileProblem.moved, "the database file was deleted or moved: \(path)") {
            try database.blocking.write { try $0.run("DELETE FROM files") }
        }
        // Close the database, and open the file that is there now.
        try Data().write(to: URL(filePath: path))
        expect(FileProblem.replaced, "the database file was replaced: \(path)") {
            try database.blocking.write { try $0.run("DELETE FROM files") }
        }
    }

    @Test func randomPages() throws {
        connection.close()
        var random = SystemRandomNumberGenerator()
        let pages = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(pages).write(to: URL(filePath: path))
        expect(FileProblem.encrypted, """
            the file is encrypted, and was opened without a key: \(path)
            """) {
            try Connection(path)
        }
    }

    @Test func copies() throws {
        expect(UpkeepProblem.vacuumNeedsFile, "VACUUM INTO needs a file") {
            try connection.vacuum(into: ":memory:")
        }
        // Call `serialize()` outside.
        expect(UpkeepProblem.serializedInsideTransaction, """
            a database cannot be serialized or deserialized inside a transaction
            """) {
            try connection.transaction { try connection.serialize() }
        }
        // Deserialize into `Connection(":memory:")`.
        let bytes = try connection.serialize()
        let file = connection.fileName
        expect(
            UpkeepProblem.notInMemory,
            "deserialize needs a connection in memory, and this one is to \(file)"
        ) {
            try connection.deserialize(bytes)
        }
        // Set it when the program begins, before its first connection.
        expect(UpkeepProblem.libraryInUse, """
            SQLite cannot be configured: it has been used already
            """) {
            try SQLiteLibrary.configure(.withoutMemoryStatistics)
        }
    }

    @Test func destinations() throws {
        expect(BackupProblem.sameConnection, "source and destination must be distinct") {
            try connection.backup(to: connection).run()
        }
        expect(BackupProblem.sameFile, """
            source and destination must be distinct: they are one file
            """) {
            try connection.backup(to: Connection(path)).run()
        }
        let copy = try Connection(":memory:")
        expect(BackupProblem.noPages, "a backup needs steps of at least one page") {
            try connection.backup(to: copy, pagesPerStep: 0).run()
        }
        expect(BackupProblem.destinationInTransaction, "destination database is in use") {
            try copy.transaction { try connection.backup(to: copy).run() }
        }
        // Reset the statement, or release it.
        let numbers = try copy.prepare("VALUES(1), (2)")
        try numbers.step()
        expect(BackupProblem.destinationHasBusyStatement, "destination database is in use") {
            try connection.backup(to: copy).run()
        }
        let database = try Database(path)
        expect(BackupProblem.destinationNeedsFile, """
            the backup of a database needs a file as its destination
            """) {
            try database.blocking.backup(to: ":memory:")
        }
    }

    @Test func runningBackups() throws {
        let (source, copy) = (try Connection(":memory:"), try Connection(":memory:"))
        try source.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(20000))")
        // Wait for the end of the backup, or stop it.
        try source.backup(to: copy, pagesPerStep: 1).run { progress in
            guard progress.remaining > 0 else { return }
            expect(BackupProblem.unfinishedDestination, """
                the connection is the destination of a backup that is not finished
                """) {
                try copy.run("SELECT 1")
            }
            expect(BackupProblem.unfinishedSource, """
                the connection is the source of a backup that is not finished
                """) {
                try source.deserialize(Data())
            }
            expect(BackupProblem.destinationIsSource, "destination database is in use") {
                try connection.backup(to: source).run()
            }
        }
        expect(BackupProblem.sourceInTransaction, "the source has a transaction open") {
            try source.transaction {
                try source.run("DELETE FROM t")
                try source.backup(to: copy).run()
            }
        }
    }

    @Test(.enabled(if: SQLiteFeatures.extensionLoading)) func extensions() throws {
        let path = "/no/such/vec0"
        /// Returns advice for the page of settings on which an extension is chosen.
        func advice(on error: SQLiteError) -> String? {
            switch error.problem(ExtensionProblem.self) {
            case .library: "choose a library for this platform"
            case .entryPoint: "enter the name of its function"
            case .initialization: "update the extension"
            case nil: nil
            }
        }
        var shown: String?
        do {
            try connection.loadExtension(path)
        } catch let error as SQLiteError {
            shown = advice(on: error)
        }
        #expect(shown == "choose a library for this platform")
    }
}
