import Squall
import SquallTestSupport
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
        #expect(try database.blocking.read { try $0.query("SELECT twice(21)") } == 42)
        #expect(calls.value == ["all", "writer", "all", "reader"])
        #expect(try database.blocking.writeWithoutTransaction { try $0.query("SELECT twice(21)") } == 42)
        let snapshot = try database.blocking.snapshot()
        #expect(try snapshot.blocking.read { try $0.query("SELECT twice(21)") } == 42)
    }

    @Test(arguments: [":memory:", ""]) func inMemoryAllAreCalledWithTheOneConnection(path: String) throws {
        let calls = Shared<[String]>([])
        let database = try open(path, calls)
        #expect(calls.value == ["all", "writer", "reader"])
        #expect(try database.blocking.read { try $0.query("SELECT twice(21)") } == 42)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        #expect(try database.blocking.snapshot().blocking.read { try $0.query("SELECT twice(count(*)) FROM t") } == 0)
    }

    @Test func theReaderPreparationOfSQiftIsCalledInMemoryToo() throws {
        let database = try Database(
            storageLocation: .inMemory,
            readerConnectionPreparation: { try $0.addFunction("twice") { (a: Int) in 2 * a } }
        )
        #expect(try database.blocking.read { try $0.query("SELECT twice(21)") } == 42)
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
            #expect(try sqliteError { try database.blocking.read { try $0.run("SELECT 1") } }.message == message)
            try database.blocking.writeWithoutTransaction { try $0.run("PRAGMA user_version = 1") }
        }
    }

    @Test func aPreparationCannotUseTheDatabaseThatCallsIt() throws {
        let (own, kinds) = (Shared<Database?>(nil), Shared<[SQLiteError.Kind]>([]))
        // With one reader, each of these would wait for itself.
        let database = try Database(
            directory.file("a.db"), maximumReaders: 1,
            readerConnectionPreparation: { connection in
                guard let database = own.value else { return }
                let uses: [() throws -> Void] = [
                    { try database.blocking.read { _ in } }, { try database.blocking.writeWithoutTransaction { _ in } },
                    { try database.blocking.write { _ in } },
                    { try database.blocking.read(deadline: .seconds(3600)) { _ in } },
                    { try database.blocking.writeWithoutTransaction(deadline: .seconds(3600)) { _ in } },
                    { try database.readerConnectionPool.execute { _ in } },
                    { try database.blocking.backup(to: connection.fileName + ".copy") },
                    { _ = try database.blocking.snapshot() }, { try database.blocking.checkpoint() },
                    { try database.blocking.vacuum(into: connection.fileName + ".copy") },
                    { try database.blocking.suspend() }, { try database.blocking.close() },
                ]
                for use in uses {
                    let kind = try errorKind(use)
                    kinds.update { $0.append(kind) }
                }
            }
        )
        own.update { $0 = database }
        #expect(try database.blocking.read { try $0.query("SELECT 1") } == 1)
        #expect(kinds.value.prefix(10).allSatisfy { $0 == .problem(DatabaseProblem.usedInPreparation) })
        #expect(
            kinds.value.dropFirst(10) == [
                .problem(DatabaseProblem.suspendedInsideClosure),
                .problem(DatabaseProblem.closedInsideClosure(.database)),
            ])
        own.update { $0 = nil }
        try database.blocking.close()
    }

    @Test func aPreparationCannotUseThePoolThatCallsIt() throws {
        _ = try Database(directory.file("a.db"))
        let own = Shared<ConnectionPool?>(nil)
        let pool = ConnectionPool(
            storageLocation: .onDisk(directory.file("a.db")), maximumConnections: 1,
            connectionPreparation: { _ in try own.value?.execute { _ in } }
        )
        own.update { $0 = pool }
        let error = try sqliteError { try pool.execute { _ in } }
        #expect(error.kind == .problem(DatabaseProblem.usedInPreparation))
        #expect(error.resultCode == .misuse)
        own.update { $0 = nil }
        #expect(try pool.execute { try $0.query("SELECT 1") } == 1)
    }

    @Test func aPreparationCanUseAnotherDatabase() throws {
        let other = try open(directory.file("other.db"), Shared([]))
        let database = try Database(
            directory.file("a.db"),
            readerConnectionPreparation: { _ in try other.blocking.read { try $0.run("SELECT 1") } })
        #expect(try database.blocking.read { try $0.query("SELECT 1") } == 1)
        #expect(other.statistics.openedReaders == 1)
    }

    @Test func anErrorOfAPreparationIsThatOfTheDatabase() throws {
        for path in [":memory:", directory.file("a.db")] {
            #expect(throws: CancellationError.self) { _ = try Database(path) { _ in throw CancellationError() } }
        }
    }
}
