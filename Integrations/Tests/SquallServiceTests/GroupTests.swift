import Logging
import ServiceLifecycle
import Squall
import SquallService
import Testing

/// Databases in a group with the services that use them.
struct GroupTests {
    /// A service that writes when it starts, and once more when it is shut down.
    private struct Worker: Service {
        let databases: [DatabaseService]
        let isRunning: Gate

        func run() async throws {
            try await write("start")
            isRunning.open()
            try await gracefulShutdown()
            try await write("end")
        }

        private func write(_ event: String) async throws {
            for database in databases {
                try await database.database.write { try $0.run("INSERT INTO events VALUES(\(event))") }
            }
        }
    }

    private static let schema = Schema("cars") { Version(1) { Execute("CREATE TABLE events(name TEXT)") } }

    private func makeGroup(_ services: [any Service]) -> ServiceGroup {
        ServiceGroup(services: services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func databasesThatAreListedFirstAreClosedLast() async throws {
        let files = try [TestFile(), TestFile()]
        let databases = files.map { file in
            DatabaseService(migratedBy: Self.schema) { try Database(file.path) }
        }
        let isRunning = Gate()
        let group = makeGroup(databases + [Worker(databases: databases, isRunning: isRunning)])
        let run = Task { try await group.run() }
        await isRunning.opened()
        await group.triggerGracefulShutdown()
        try await run.value
        for file in files {
            #expect(try file.files == ["app.db"])
            #expect(try file.query("SELECT name FROM events") as [String] == ["start", "end"])
        }
    }

    @Test func aDatabaseThatDoesNotOpenEndsTheGroup() async throws {
        let (good, bad) = (try TestFile(), try TestFile())
        let databases = [
            DatabaseService(migratedBy: Self.schema) { try Database(good.path) },
            DatabaseService { try Database(bad.path, mode: .existing) },
        ]
        let group = makeGroup(databases + [Worker(databases: databases, isRunning: Gate())])
        #expect(await sqliteError { try await group.run() }?.resultCode == .cantOpen)
        #expect(try good.files.filter { $0 != "app.db" } == [])
        #expect(try bad.files == [])
    }

    @Test func theGroupCancelsADatabaseThatTakesTooLong() async throws {
        let file = try TestFile()
        let service = DatabaseService(interruptingAfter: .seconds(600)) { try Database(file.path) }
        var configuration = ServiceGroupConfiguration(
            services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        configuration.maximumGracefulShutdownDuration = .milliseconds(50)
        let group = ServiceGroup(configuration: configuration)
        let run = Task { try await group.run() }
        let database = try await service.database
        let begun = Gate()
        let read = Task {
            try await database.read { connection in
                begun.open()
                try connection.run(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        await begun.opened()
        await group.triggerGracefulShutdown()
        _ = await run.result
        #expect(await sqliteError { try await read.value }?.resultCode == .interrupt)
        #expect(try file.files == ["app.db"])
    }
}
