import IntegrationSupport
import ServiceLifecycle
import ServiceLifecycleTestKit
import Squall
import SquallService
import TestSupport
import Testing

struct ShutdownTests {
    private let file: TestFile
    private let log = LogRecorder()

    init() throws {
        file = try TestFile()
    }

    private static let schema = Schema("cars") {
        Version(1) { Execute("CREATE TABLE IF NOT EXISTS cars(name TEXT)") }
    }

    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private func makeService(interruptingAfter limit: Duration = .seconds(60)) -> DatabaseService {
        DatabaseService(migratedBy: Self.schema, interruptingAfter: limit, logger: log.logger) { [file] in
            try Database(file.path)
        }
    }

    /// Waits until the database refuses new calls.
    private func waitForRefusals(of database: Database) async {
        while await sqliteError({ try await database.read { _ in } })?.kind != .closed(.database) {
            await Task.yield()
        }
    }

    /// Returns the task of a read that has begun, and does not end by itself.
    private func startEndlessRead(of database: Database) async -> Task<Void, any Error> {
        let begun = Gate()
        let read = Task {
            try await database.read { connection in
                begun.open()
                _ = try connection.run(Self.endless)
            }
        }
        await begun.opened()
        return read
    }

    @Test func runningClosuresEndAndNewOnesAreRefused() async throws {
        let service = makeService()
        let (begun, gate, hasEnded) = (Gate(), Gate(), Locked(0))
        try await testGracefulShutdown { trigger in
            let run = Task {
                try await service.run()
                hasEnded.increment()
            }
            let database = try await service.database
            let write = Task {
                try await database.write { connection in
                    begun.open()
                    gate.wait()
                    try connection.run("INSERT INTO cars VALUES('Audi')")
                }
            }
            await begun.opened()
            trigger.triggerGracefulShutdown()
            await waitForRefusals(of: database)
            #expect(!service.isReady)
            await #expect(throws: DatabaseServiceError.closed) { _ = try await service.database }
            #expect(await sqliteError { try await database.write { _ in } }?.kind == .closed(.database))
            #expect(hasEnded.value == 0)
            gate.open()
            try await write.value
            try await run.value
        }
        #expect(try file.files == ["app.db"])
        #expect(try file.query("SELECT name FROM cars") as [String] == ["Audi"])
        #expect(log.messages(.info) == ["opened", "migrated", "closed"].map { "the database was \($0)" })
        #expect(log.messages(.warning) == [])
    }

    @Test func afterTheLimitStatementsAreInterrupted() async throws {
        let service = makeService(interruptingAfter: .milliseconds(50))
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            let database = try await service.database
            try await database.write { try $0.run("INSERT INTO cars VALUES('Audi')") }
            let begun = Gate()
            let write = Task {
                try await database.write { connection in
                    try connection.run("INSERT INTO cars VALUES('Bentley')")
                    begun.open()
                    try connection.run(Self.endless)
                }
            }
            await begun.opened()
            trigger.triggerGracefulShutdown()
            try await run.value
            #expect(await sqliteError { try await write.value }?.resultCode == .interrupt)
        }
        #expect(try file.files == ["app.db"])
        #expect(try file.query("SELECT name FROM cars") as [String] == ["Audi"])
        #expect(log.messages(.warning).count == 1)
    }

    /// The interrupt is repeated: it affects only the statement that runs.
    @Test func aClosureThatGoesOnAfterAnInterruptIsInterruptedAgain() async throws {
        let service = makeService(interruptingAfter: .zero)
        let interrupts = Locked(0)
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            let database = try await service.database
            let begun = Gate()
            let read = Task {
                try await database.read { connection in
                    begun.open()
                    for _ in 0..<3 {
                        do {
                            try connection.run(Self.endless)
                        } catch let error as SQLiteError where error.resultCode == .interrupt {
                            interrupts.increment()
                        }
                    }
                }
            }
            await begun.opened()
            trigger.triggerGracefulShutdown()
            try await run.value
            try await read.value
        }
        #expect(interrupts.value == 3)
        #expect(try file.files == ["app.db"])
    }

    @Test func aCancelledRunInterruptsAndCloses() async throws {
        let service = makeService()
        let run = Task { try await service.run() }
        let database = try await service.database
        let read = await startEndlessRead(of: database)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(await sqliteError { try await read.value }?.resultCode == .interrupt)
        await #expect(throws: DatabaseServiceError.closed) { _ = try await service.database }
        #expect(try file.files == ["app.db"])
    }

    /// A service group cancels after its `maximumGracefulShutdownDuration`.
    @Test func cancellingDuringTheShutdownInterrupts() async throws {
        let service = makeService()
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            let database = try await service.database
            let read = await startEndlessRead(of: database)
            trigger.triggerGracefulShutdown()
            await waitForRefusals(of: database)
            run.cancel()
            try await run.value
            #expect(await sqliteError { try await read.value }?.resultCode == .interrupt)
        }
        #expect(try file.files == ["app.db"])
    }

    @Test func aServiceRunsOnce() async throws {
        let service = makeService()
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await service.run()
            await #expect(throws: DatabaseServiceError.closed) { try await service.run() }
        }
    }

    /// Whether the shutdown was requested before the run, or the task of the run was cancelled.
    @Test(arguments: [false, true])
    func aDatabaseIsClosedAlsoWhenTheRunEndsAtOnce(isCancelled: Bool) async throws {
        let database = try Database(file.path)
        let service = DatabaseService(database, migratedBy: Self.schema)
        try await testGracefulShutdown { trigger in
            if !isCancelled { trigger.triggerGracefulShutdown() }
            let run = Task {
                while isCancelled, !Task.isCancelled { await Task.yield() }
                try await service.run()
            }
            if isCancelled {
                run.cancel()
                await #expect(throws: CancellationError.self) { try await run.value }
            } else {
                try await run.value
            }
        }
        #expect(await sqliteError { try await database.read { _ in } }?.kind == .closed(.database))
        #expect(try file.files == ["app.db"])
    }

    @Test func aDatabaseInMemoryIsClosed() async throws {
        let database = try Database(":memory:")
        let service = DatabaseService(database, migratedBy: Self.schema, check: .quick)
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            try await service.database.write { try $0.run("INSERT INTO cars VALUES('Audi')") }
            trigger.triggerGracefulShutdown()
            try await run.value
        }
        #expect(await sqliteError { try await database.read { _ in } }?.kind == .closed(.database))
    }
}
