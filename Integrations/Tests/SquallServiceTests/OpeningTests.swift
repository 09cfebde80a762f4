import Foundation
import IntegrationSupport
import ServiceLifecycle
import ServiceLifecycleTestKit
import Squall
import SquallService
import TestSupport
import Testing

struct OpeningTests {
    private let file: TestFile

    init() throws {
        file = try TestFile()
    }

    private static let schema = Schema("cars") {
        Version(1) { Execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('Audi')") }
    }

    @Test func allCallersShareOneOpening() async throws {
        let calls = Locked(0)
        let service = DatabaseService(migratedBy: Self.schema) { [file] in
            calls.increment()
            return try Database(file.path)
        }
        #expect(!service.isReady)
        let databases = try await withThrowingTaskGroup(of: Database.self) { group in
            for _ in 0..<50 { group.addTask { try await service.database } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(databases.count == 50)
        #expect(Set(databases.map(ObjectIdentifier.init)).count == 1)
        #expect(calls.value == 1)
        #expect(service.isReady)
        #expect(try await databases[0].read { try $0.query("SELECT name FROM cars") } == ["Audi"])
    }

    @Test func theDatabaseIsReadyAfterItsMigration() async throws {
        let (begun, gate) = (Gate(), Gate())
        let schema = Schema("cars") {
            Version(1) {
                Execute { connection in
                    begun.open()
                    gate.wait()
                    try connection.execute("CREATE TABLE cars(name TEXT)")
                }
            }
        }
        let service = DatabaseService(migratedBy: schema) { [file] in try Database(file.path) }
        let tables = Task {
            try await service.database.read { try $0.query("SELECT count(*) FROM cars") as Int }
        }
        await begun.opened()
        #expect(!service.isReady)
        gate.open()
        #expect(try await tables.value == 0)
        #expect(service.isReady)
    }

    @Test func aCancelledCallerNoLongerWaits() async throws {
        let (begun, gate) = (Gate(), Gate())
        let service = DatabaseService { [file] in
            begun.open()
            gate.wait()
            return try Database(file.path)
        }
        let impatient = Task { _ = try await service.database }
        let patient = Task { try await service.database.read { try $0.query("SELECT 1") as Int } }
        await begun.opened()
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        gate.open()
        #expect(try await patient.value == 1)
    }

    @Test func anErrorOfOpeningReachesAllCallers() async throws {
        let calls = Locked(0)
        let service = DatabaseService { [file] in
            calls.increment()
            return try Database(file.path, mode: .existing)
        }
        let waiting = (0..<10).map { _ in Task { _ = try await service.database } }
        #expect(await sqliteError { try await service.run() }?.resultCode == .cantOpen)
        #expect(await sqliteError { _ = try await service.database }?.resultCode == .cantOpen)
        for task in waiting { #expect(await sqliteError { try await task.value }?.resultCode == .cantOpen) }
        #expect(calls.value == 1)
        #expect(!service.isReady)
        #expect(try file.files == [])
    }

    @Test func aFailedVersionIsRolledBackAndTheFileIsClosed() async throws {
        let schema = Schema("cars") {
            Version(1) { Execute("CREATE TABLE cars(name TEXT)") }
            Version(2) { Execute("CREATE TABLE people(name TEXT); INSERT INTO nowhere VALUES(1)") }
        }
        let service = DatabaseService(migratedBy: schema) { [file] in try Database(file.path) }
        let error = await sqliteError { try await service.run() }
        #expect(error?.message.contains("no such table: nowhere") == true)
        #expect(await sqliteError { _ = try await service.database } == error)
        #expect(try file.files == ["app.db"])
        #expect(
            try file.query("SELECT name FROM sqlite_schema WHERE name IN ('cars', 'people')") as [String] == ["cars"])
    }

    /// An index that does not have what its table has. Only the full check compares the two.
    private func makeDamage() throws {
        let connection = try Connection(file.path, configuration: .sqlite)
        defer { connection.close() }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; CREATE TABLE t(a, b); CREATE INDEX i ON t(a); INSERT INTO t VALUES(1, 2);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON t(b)' WHERE name = 'i'
            """)
    }

    @Test func aDamagedFileIsNotMigrated() async throws {
        try makeDamage()
        let service = DatabaseService(migratedBy: Self.schema, check: .full) { [file] in try Database(file.path) }
        let error = await #expect(throws: DatabaseServiceError.self) { try await service.run() }
        let first = try #require(error)
        guard case .damagedFile(let path, let problems) = first else {
            Issue.record(first)
            return
        }
        #expect(path.hasSuffix("app.db"))
        #expect(problems.contains { $0.contains("missing from index i") })
        await #expect(throws: first) { _ = try await service.database }
        #expect(try file.files == ["app.db"])
        #expect(try file.query("SELECT name FROM sqlite_schema WHERE type = 'table'") as [String] == ["t"])
    }

    @Test(arguments: [DatabaseService.Check.none, .quick])
    func aQuickCheckDoesNotCompareIndexes(check: DatabaseService.Check) async throws {
        try makeDamage()
        let service = DatabaseService(check: check) { [file] in try Database(file.path) }
        #expect(try await service.database.read { try $0.query("SELECT a FROM t") } == [1])
    }

    @Test func aTornPageIsFoundByTheQuickCheck() async throws {
        let database = try Database(file.path)
        try await database.write { connection in
            try connection.execute("CREATE TABLE t(a)")
            for _ in 0..<100 { try connection.run("INSERT INTO t VALUES(randomblob(300))") }
        }
        try await database.close()
        let handle = try FileHandle(forWritingTo: URL(filePath: file.path))
        try handle.seek(toOffset: 4096 * 3)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try handle.close()
        let service = DatabaseService(check: .quick) { [file] in try Database(file.path) }
        let error = await #expect(throws: DatabaseServiceError.self) { try await service.run() }
        #expect(error?.description.contains("is damaged: ") == true)
        #expect(try file.files == ["app.db"])
    }

    @Test func anOpenDatabaseIsMigratedAndClosed() async throws {
        let database = try Database(file.path)
        let service = DatabaseService(database, migratedBy: Self.schema, check: .full)
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            #expect(try await service.database === database)
            #expect(try await database.read { try $0.query("SELECT name FROM cars") } == ["Audi"])
            trigger.triggerGracefulShutdown()
            try await run
        }
        #expect(await sqliteError { try await database.read { _ in } }?.kind == .closed(.database))
        #expect(try file.files == ["app.db"])
    }
}
