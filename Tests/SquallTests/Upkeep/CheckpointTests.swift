import Foundation
import Squall
import SquallTestSupport
import Testing

struct CheckpointTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.setWALAutoCheckpoint(pages: 0)
        try connection.fill(rows: 10)
    }

    private func size(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int)
    }

    @Test(arguments: [Connection.CheckpointMode.passive, .full, .restart])
    func countsTheFramesOfTheLog(mode: Connection.CheckpointMode) throws {
        let result = try connection.checkpoint(mode: mode)
        #expect(result.logFrames >= 10)
        #expect(result.checkpointedFrames == result.logFrames)
    }

    @Test func truncateIsTheDefaultAndLeavesNothing() throws {
        #expect(try size("a.db-wal") > 0)
        let result = try connection.checkpoint()
        #expect(result.logFrames == 0)
        #expect(result.checkpointedFrames == 0)
        #expect(try size("a.db-wal") == 0)
    }

    @Test func aReaderLeavesPassiveIncompleteAndTheOthersBusy() throws {
        let reader = try Connection(directory.file("a.db"))
        try connection.execute("PRAGMA busy_timeout = 0")
        try reader.transaction(transactionType: .deferred) {
            let count = try reader.rowCount()
            #expect(count == 10)
            try connection.addRows()
            let passive = try connection.checkpoint(mode: .passive)
            #expect(passive.checkpointedFrames < passive.logFrames)
            let full = try sqliteError { _ = try connection.checkpoint(mode: .full) }
            #expect(full.resultCode == .busy)
        }
        #expect(try connection.checkpoint().logFrames == 0)
    }

    @Test func attachedDatabases() throws {
        try connection.attachDatabase(from: .onDisk(directory.file("b.db")), withName: "other")
        let _: String = try connection.query("PRAGMA other.journal_mode = WAL")
        try connection.execute("CREATE TABLE other.b(c)")
        #expect(try connection.checkpoint(attachedDatabaseName: "other", mode: .full).logFrames > 0)
        _ = try connection.checkpoint(attachedDatabaseName: nil)
        #expect(try size("a.db-wal") == 0)
        #expect(try size("b.db-wal") == 0)
    }

    @Test(arguments: ["nope", "", "main\0"]) func unknownNames(name: String) throws {
        #expect(try sqliteError { _ = try connection.checkpoint(attachedDatabaseName: name) }.code == 1)
    }

    @Test func withoutALogTheNumbersAreMinusOne() throws {
        let memory = try Connection(storageLocation: .inMemory)
        let result = try memory.checkpoint()
        #expect(result.logFrames == -1)
        #expect(result.checkpointedFrames == -1)
    }

    @Test func insideATransactionItIsAnError() throws {
        try connection.transaction {
            try connection.addSmallRow()
            let error = try sqliteError { _ = try connection.checkpoint() }
            #expect(error.resultCode == .locked)
        }
        connection.close()
        #expect(try sqliteError { _ = try connection.checkpoint() }.resultCode == .misuse)
    }

    @Test func commitsCheckpointAfterSomeManyPages() throws {
        #expect(try connection.walAutoCheckpoint == 0)
        #expect(try Connection(directory.file("a.db")).walAutoCheckpoint == 1000)
        try connection.setWALAutoCheckpoint(pages: 5)
        #expect(try connection.walAutoCheckpoint == 5)
        try connection.addRows(10)
        try connection.addRows(1)
        let log = try size("a.db-wal")
        try connection.addRows(1)
        // The log began anew: it has not grown.
        #expect(try size("a.db-wal") == log)
        try connection.setWALAutoCheckpoint(pages: -3)
        #expect(try connection.walAutoCheckpoint == 0)
    }
}
