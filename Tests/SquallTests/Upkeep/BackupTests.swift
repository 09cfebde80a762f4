import Foundation
import Squall
import SquallTestSupport
import Testing

/// Backups that run where they are called.
struct BackupTests {
    let directory: TemporaryDirectory
    let source: Connection
    let destination: Connection

    init() throws {
        directory = try TemporaryDirectory()
        source = try Connection(directory.file("source.db"))
        try source.fill()
        destination = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
    }

    private func old(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE old(a); INSERT INTO old VALUES('kept')")
    }

    private func expectOld(_ connection: Connection) throws {
        #expect(try connection.query("SELECT a FROM old") == "kept")
        #expect(try connection.integrityCheck() == [])
    }

    @Test func runCopiesEverythingAndReportsEachStep() throws {
        try old(destination)
        var steps: [BackupProgress] = []
        try source.backup(to: destination, pagesPerStep: 20).run { steps.append($0) }
        let pages = try source.pageCount()
        #expect(steps.first?.total == pages)
        #expect(steps.first?.remaining == pages - 20)
        #expect(steps.last?.remaining == 0)
        #expect(steps.count == (pages + 19) / 20)
        #expect(try destination.digest() == source.digest())
        #expect(try destination.integrityCheck() == [])
        #expect(throws: SQLiteError.self) { try destination.query("SELECT a FROM old") }
    }

    @Test func minusOneIsOneStep() throws {
        var count = 0
        try source.backup(to: destination, pagesPerStep: -1).run { _ in count += 1 }
        #expect(count == 1)
        #expect(try destination.rowCount() == 60)
    }

    @Test func noPagesAtATimeIsRefused() throws {
        #expect(try sqliteError { try source.backup(to: destination, pagesPerStep: 0).run() }.resultCode == .misuse)
    }

    @Test(arguments: [StorageLocation.inMemory, .temporary]) func fromMemoryAndBack(location: StorageLocation) throws {
        let memory = try Connection(storageLocation: location)
        try source.backup(to: memory).run()
        #expect(try memory.digest() == source.digest())
        try memory.addRows()
        try memory.backup(to: destination).run()
        #expect(try destination.digest() == memory.digest())
    }

    @Test func attachedDatabasesByName() throws {
        try source.attachDatabase(from: .onDisk(directory.file("other.db")), withName: "an \"other\"")
        try source.execute("CREATE TABLE \"an \"\"other\"\"\".o(a)")
        try destination.attachDatabase(from: .inMemory, withName: "to")
        try source.backup(databaseNamed: "an \"other\"", to: destination, as: "to").run()
        #expect(try destination.query("SELECT name FROM \"to\".sqlite_schema") == "o")
    }

    @Test func temporaryTablesToo() throws {
        try source.execute("CREATE TEMP TABLE mine(a)")
        try source.backup(databaseNamed: "temp", to: destination).run()
        #expect(try destination.query("SELECT name FROM sqlite_schema") == "mine")
    }

    @Test func anEmptySourceMakesAnEmptyDestination() throws {
        try old(destination)
        let empty = try Connection(storageLocation: .onDisk(directory.file("empty.db")))
        var steps: [BackupProgress] = []
        try empty.backup(to: destination).run { steps.append($0) }
        #expect(steps.map(\.fractionCompleted) == [1])
        #expect(try destination.query("SELECT count(*) FROM sqlite_schema") == 0)
        #expect(try destination.integrityCheck() == [])
    }

    @Test func statementsOfTheDestinationSeeTheNewContent() throws {
        try destination.execute("CREATE TABLE x(y); CREATE TABLE t(id INTEGER PRIMARY KEY, bytes BLOB)")
        let count = try destination.prepare("SELECT count(*) FROM t")
        #expect(try count.step())
        #expect(try sqliteError { try source.backup(to: destination).run() }.hint?.contains("reset it") == true)
        try count.reset()
        #expect(try destination.rowCount() == 0)
        try source.backup(to: destination).run()
        #expect(try count.query() == 60)
        #expect(try destination.rowCount() == 60)
    }

    // MARK: While it runs

    @Test func theDestinationRefusesEverythingUntilTheEnd() throws {
        try old(destination)
        let statement = try destination.prepare("SELECT a FROM old WHERE a = ?")
        var dropped: Statement? = try destination.prepare("SELECT 1")
        var messages: Set<String> = []
        func refused(_ body: () throws -> Void) throws {
            let error = try sqliteError(body)
            #expect(error.resultCode == .busy)
            messages.insert(error.message)
        }
        try source.backup(to: destination, pagesPerStep: 20).run { progress in
            guard progress.remaining > 0 else { return }
            dropped = nil
            try refused { try destination.run("SELECT 1") }
            try refused { try destination.execute("DELETE FROM old") }
            try refused { _ = try destination.prepare("SELECT 1") }
            try refused { _ = try statement.bind("x") }
            try refused { try statement.run() }
            try refused { _ = try statement.query() as Row? }
            try refused { try destination.transaction {} }
            try refused { try destination.vacuum() }
            try refused { _ = try destination.serialize() }
            try refused { try destination.deserialize(Data()) }
            try refused { _ = try destination.checkpoint() }
            try refused { try source.backup(to: destination).run() }
            try refused { try destination.backup(to: source).run() }
            #expect(!destination.isClosed)
            #expect(statement.expandedSQL == nil)
            destination.interrupt()
        }
        #expect(messages == ["the connection is the destination of a backup that is not finished"])
        #expect(dropped == nil)
        #expect(try destination.rowCount() == 60)
        #expect(throws: SQLiteError.self) { try statement.run() }
    }

    @Test func aDestinationClosedMeanwhileIsClosedAtTheEnd() throws {
        let statement = try destination.prepare("SELECT 1")
        try source.backup(to: destination, pagesPerStep: 20).run { _ in
            destination.close()
            #expect(destination.isClosed)
        }
        #expect(destination.isClosed)
        #expect(try sqliteError { try statement.run() }.message == "the connection is closed")
        #expect(try Connection(directory.file("copy.db")).rowCount() == 60)
    }

    @Test func theSourceIsUsedMeanwhile() throws {
        var reads = 0
        try source.backup(to: destination, pagesPerStep: 20).run { _ in
            reads += try source.rowCount()
        }
        #expect(reads >= 180)
    }

    @Test(arguments: [Connection.Mode.create, .readOnly]) func aReadOnlySource(mode: Connection.Mode) throws {
        let reader = try Connection(directory.file("source.db"), mode: mode)
        try reader.backup(to: destination).run()
        #expect(try destination.rowCount() == 60)
    }

    @Test(arguments: ["WAL", "DELETE"]) func aSourceThatKeepsChangingIsCopiedInOneStepAfterThreeRestarts(mode: String)
        throws
    {
        let _: String = try source.query("PRAGMA journal_mode = \(raw: mode)")
        var steps: [Int] = []
        try source.backup(to: destination, pagesPerStep: 10).run { progress in
            steps.append(progress.completed)
            if progress.remaining > 0 { try source.addRows() }
        }
        #expect(steps.dropLast() == [10, 10, 10, 10])
        #expect(steps.count == 5)
        #expect(try destination.rowCount() == 64)
        #expect(try destination.digest() == source.digest())
    }

    @Test func aSourceInMemoryChangesToo() throws {
        let memory = try Connection(storageLocation: .inMemory)
        try memory.fill()
        try memory.backup(to: destination, pagesPerStep: 10).run { progress in
            if progress.remaining > 0 { try memory.addRows() }
        }
        #expect(try destination.digest() == memory.digest())
    }

    @Test func anOpenTransactionOfTheSourceIsNotCopied() throws {
        try source.transaction {
            try source.run("DELETE FROM t")
            try source.backup(to: destination).run()
        }
        #expect(try destination.rowCount() == 60)
        #expect(try source.rowCount() == 0)
    }

    @Test func anOpenTransactionInMemoryIsAnErrorAtOnce() throws {
        try old(destination)
        let memory = try Connection("", configuration: .recommended)
        try memory.fill(rows: 1)
        try memory.transaction {
            try memory.addSmallRow()
            let error = try sqliteError { try memory.backup(to: destination).run() }
            #expect(error.kind == .problem(BackupProblem.sourceInTransaction))
            #expect(error.resultCode == .misuse)
        }
        try expectOld(destination)
    }

    @Test func whatTheCallerThrowsLeavesTheDestinationAsItWas() throws {
        try old(destination)
        #expect(throws: CancellationError.self) {
            try source.backup(to: destination, pagesPerStep: 20).run { _ in throw CancellationError() }
        }
        try expectOld(destination)
    }

    // MARK: Pairs that cannot be

    @Test func ontoItself() throws {
        let error = try sqliteError { try source.backup(to: source).run() }
        #expect(error.code == 1)
        #expect(error.message == "source and destination must be distinct")
        let again = try Connection(
            directory.file("../\(URL(fileURLWithPath: directory.path).lastPathComponent)/source.db"))
        let other = try sqliteError { try source.backup(to: again).run() }
        #expect(other.code == 1)
        #expect(other.message == "source and destination must be distinct: they are one file")
        #expect(try again.rowCount() == 60)
    }

    @Test func unknownNames() throws {
        let from = try sqliteError { try source.backup(databaseNamed: "nope", to: destination).run() }
        #expect(from.code == 1)
        #expect(from.message == "unknown database \"nope\"")
        let to = try sqliteError { try source.backup(to: destination, as: "nope").run() }
        #expect(to.code == 1)
        #expect(to.message == "unknown database nope")
        #expect(try sqliteError { try source.backup(to: destination, as: "main\0").run() }.resultCode == .misuse)
        try source.backup(to: destination).run()
    }

    @Test func aDestinationInUse() throws {
        try old(destination)
        try destination.transaction {
            let error = try sqliteError { try source.backup(to: destination).run() }
            #expect(error.code == 1)
        }
        try destination.forEach("SELECT * FROM old") { _ in
            let error = try sqliteError { try source.backup(to: destination).run() }
            #expect(error.code == 1)
        }
        try expectOld(destination)
    }

    @Test func aDestinationThatIsTheSourceOfAnother() throws {
        let memory = try Connection(storageLocation: .inMemory)
        try memory.fill()
        try memory.backup(to: destination, pagesPerStep: 10).run { progress in
            guard progress.remaining > 0 else { return }
            let error = try sqliteError { try source.backup(to: memory).run() }
            #expect(error.code == 1)
        }
        try source.backup(to: memory).run()
    }

    @Test func closedConnections() throws {
        let closed = try Connection(storageLocation: .inMemory)
        closed.close()
        #expect(try sqliteError { try source.backup(to: closed).run() }.resultCode == .misuse)
        #expect(try sqliteError { try closed.backup(to: source).run() }.resultCode == .misuse)
    }

    @Test func aReadOnlyDestinationSaysSo() throws {
        try old(destination)
        let reader = try Connection(directory.file("copy.db"), mode: .readOnly)
        let error = try sqliteError { try source.backup(to: reader).run() }
        #expect(error.resultCode == .readOnly)
        #expect(error.message == "attempt to write a readonly database")
        try expectOld(destination)
    }

    @Test func filesThatAreNoDatabases() throws {
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: directory.file("text")))
        let text = try Connection(storageLocation: .onDisk(directory.file("text")))
        #expect(try sqliteError { try text.backup(to: destination).run() }.resultCode == .notADatabase)
        #expect(try sqliteError { try source.backup(to: text).run() }.resultCode == .notADatabase)
    }

    // MARK: Locks, space, pages

    @Test func aFullDiskLeavesTheDestinationAsItWas() throws {
        try old(destination)
        try destination.execute("PRAGMA max_page_count = 30")
        let error = try sqliteError { try source.backup(to: destination, pagesPerStep: 10).run() }
        #expect(error.resultCode == .full)
        #expect(error.message == "database or disk is full")
        try expectOld(destination)
        try destination.execute("PRAGMA max_page_count = 3000")
        try source.backup(to: destination).run()
    }

    @Test func pagesOfAnotherSize() throws {
        try destination.execute("PRAGMA page_size = 1024; VACUUM")
        try old(destination)
        #expect(try destination.query("PRAGMA page_size") == 1024)
        try source.backup(to: destination).run()
        #expect(try destination.digest() == source.digest())
        #expect(try destination.query("PRAGMA page_size") == 4096)
        #expect(try destination.integrityCheck() == [])
    }

    @Test func ontoADatabaseInWALMode() throws {
        let wal = try Connection(directory.file("wal.db"))
        try old(wal)
        try source.backup(to: wal).run()
        #expect(try wal.query("PRAGMA journal_mode") == "wal")
        #expect(try wal.digest() == source.digest())
        #expect(try wal.integrityCheck() == [])
    }

    @Test func pagesOfAnotherSizeInWALModeAreAnErrorThatSaysWhy() throws {
        let small = try Connection(storageLocation: .onDisk(directory.file("small.db")))
        try small.execute("PRAGMA page_size = 1024; CREATE TABLE s(a)")
        let wal = try Connection(directory.file("wal.db"))
        try old(wal)
        let error = try sqliteError { try small.backup(to: wal).run() }
        #expect(error.resultCode == .readOnly)
        #expect(error.hint?.contains("WAL mode") == true)
        try expectOld(wal)
    }
}
