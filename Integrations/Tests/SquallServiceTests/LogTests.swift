import ServiceLifecycleTestKit
import Squall
import SquallService
import TestSupport
import Testing

/// The write-ahead log at the shutdown, beside connections that are not of the service.
struct LogTests {
    private let file: TestFile
    private let log = LogRecorder()

    init() throws {
        file = try TestFile()
    }

    private static let schema = Schema("cars") { Version(1) { Execute("CREATE TABLE cars(name TEXT)") } }

    private func openOther() throws -> Connection {
        let connection = try Connection(file.path)
        #expect(try connection.query("SELECT count(*) FROM cars") == 1)
        return connection
    }

    /// Runs a service that writes a row. Ends it while another connection has the file open.
    private func run(beside other: (Connection) throws -> Void) async throws -> Connection {
        let service = DatabaseService(migratedBy: Self.schema, logger: log.logger) { [file] in try Database(file.path) }
        return try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            let database = try await service.database
            try await database.write { try $0.run("INSERT INTO cars VALUES('Audi')") }
            let connection = try openOther()
            try other(connection)
            try await database.write { try $0.run("INSERT INTO cars VALUES('Bentley')") }
            trigger.triggerGracefulShutdown()
            try await run.value
            return connection
        }
    }

    @Test func theLogOfADatabaseThatIsOnlyReadIsRemoved() async throws {
        try await Database(file.path).close()
        let service = DatabaseService(logger: log.logger) { [file] in try Database(file.path) }
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            #expect(try await service.database.read { try $0.query("SELECT count(*) FROM sqlite_schema") } == 0)
            trigger.triggerGracefulShutdown()
            try await run.value
        }
        #expect(try file.files == ["app.db"])
    }

    @Test func theLogIsTruncatedBesideAnIdleConnection() async throws {
        let connection = try await run { _ in }
        #expect(file.logSize == 0)
        #expect(log.messages(.notice) == [])
        #expect(try connection.query("SELECT count(*) FROM cars") == 2)
        connection.close()
        #expect(try file.files == ["app.db"])
    }

    @Test func aReadOfAnotherConnectionDoesNotBlockTheShutdown() async throws {
        // The read goes on after the shutdown.
        let connection = try await run { try $0.execute("BEGIN; SELECT * FROM cars") }
        #expect(try #require(file.logSize) > 0)
        #expect(log.messages(.notice) == ["the write-ahead log stays: another connection uses it"])
        #expect(try connection.query("SELECT count(*) FROM cars") == 1)
        try connection.execute("COMMIT")
        #expect(try connection.query("SELECT count(*) FROM cars") == 2)
        connection.close()
        #expect(try file.files == ["app.db"])
    }

    @Test func aWriteOfAnotherConnectionDoesNotBlockTheShutdown() async throws {
        let service = DatabaseService(migratedBy: Self.schema, logger: log.logger) { [file] in try Database(file.path) }
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            try await service.database.write { try $0.run("INSERT INTO cars VALUES('Audi')") }
            let connection = try openOther()
            try connection.execute("BEGIN IMMEDIATE; INSERT INTO cars VALUES('Bentley')")
            trigger.triggerGracefulShutdown()
            try await run.value
            #expect(log.messages(.notice) == ["the write-ahead log stays: another connection uses it"])
            try connection.execute("COMMIT")
            connection.close()
        }
        #expect(try file.files == ["app.db"])
        #expect(try file.query("SELECT name FROM cars") as [String] == ["Audi", "Bentley"])
    }

    @Test func aReadOnlyDatabaseLeavesTheLogOfOthersAlone() async throws {
        let writer = try Connection(file.path)
        try writer.execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('Audi')")
        let size = try #require(file.logSize)
        let service = DatabaseService(check: .full, logger: log.logger) { [file] in
            try Database(file.path, mode: .readOnly)
        }
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            #expect(try await service.database.read { try $0.query("SELECT name FROM cars") } == ["Audi"])
            trigger.triggerGracefulShutdown()
            try await run.value
        }
        #expect(file.logSize == size)
        #expect(log.messages(.notice) == [])
        writer.close()
    }
}
