import Squall
import Testing

/// The closures that are called with the new connections of a database.
struct PreparationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ path: String, _ calls: Shared<[String]>) throws -> Database {
        try Database(
            path,
            preparation: { connection in
                calls.update { $0.append("all") }
                try connection.addFunction("twice") { (a: Int) in 2 * a }
            },
            writerConnectionPreparation: { _ in calls.update { $0.append("writer") } },
            readerConnectionPreparation: { _ in calls.update { $0.append("reader") } }
        )
    }

    @Test func onePreparationIsForAllConnections() throws {
        let calls = Shared<[String]>([])
        let database = try open(directory.file("a.db"), calls)
        #expect(calls.value == ["all", "writer"])
        #expect(try database.executeRead { try $0.query("SELECT twice(21)") } == 42)
        #expect(calls.value == ["all", "writer", "all", "reader"])
        #expect(try database.executeWrite { try $0.query("SELECT twice(21)") } == 42)
        let snapshot = try database.readSnapshot()
        #expect(try snapshot.executeRead { try $0.query("SELECT twice(21)") } == 42)
    }

    @Test(arguments: [":memory:", ""]) func inMemoryAllAreCalledWithTheOneConnection(path: String) throws {
        let calls = Shared<[String]>([])
        let database = try open(path, calls)
        #expect(calls.value == ["all", "writer", "reader"])
        #expect(try database.executeRead { try $0.query("SELECT twice(21)") } == 42)
        try database.executeWrite { try $0.execute("CREATE TABLE t(a)") }
        #expect(try database.readSnapshot().executeRead { try $0.query("SELECT twice(count(*)) FROM t") } == 0)
    }

    @Test func theReaderPreparationOfSQiftIsCalledInMemoryToo() throws {
        let database = try Database(
            storageLocation: .inMemory,
            readerConnectionPreparation: { try $0.addFunction("twice") { (a: Int) in 2 * a } }
        )
        #expect(try database.executeRead { try $0.query("SELECT twice(21)") } == 42)
    }

    @Test func aPreparationCannotLeaveATransactionOpenNorCloseTheConnection() throws {
        let path = directory.file("a.db")
        _ = try Database(path)
        for (preparation, message) in [
            ({ @Sendable in try $0.run("BEGIN") }, "the preparation has left a transaction open; it was rolled back"),
            ({ @Sendable in $0.close() }, "the preparation has closed the connection"),
        ] as [(@Sendable (Connection) throws -> Void, String)] {
            #expect(try sqliteError { _ = try Database(path, preparation: preparation) }.message == message)
            #expect(
                try sqliteError { _ = try Database(":memory:", readerConnectionPreparation: preparation) }.message
                    == message)
            let database = try Database(path, readerConnectionPreparation: preparation)
            #expect(try sqliteError { try database.executeRead { try $0.run("SELECT 1") } }.message == message)
            try database.executeWrite { try $0.run("PRAGMA user_version = 1") }
        }
    }

    @Test func anErrorOfAPreparationIsThatOfTheDatabase() throws {
        for path in [":memory:", directory.file("a.db")] {
            #expect(throws: CancellationError.self) { _ = try Database(path) { _ in throw CancellationError() } }
        }
    }
}
