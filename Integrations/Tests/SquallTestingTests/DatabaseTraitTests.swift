import Foundation
import IntegrationSupport
import Squall
import SquallTesting
import TestSupport
import Testing

@Suite(.database(migratedBy: Library.history, seed: Library.fill))
struct DatabaseTraitTests {
    @Test func aDatabaseIsMigratedAndFilled() async throws {
        #expect(try TestDatabase.current.fileName == "")
        try await expectRows("SELECT name FROM authors ORDER BY id", [["Ende"], ["Joyce"]])
    }

    /// Each case adds a row with the same key, and sees no other's.
    @Test(arguments: 1...20) func eachCaseHasItsOwnDatabase(number: Int) async throws {
        let database = try TestDatabase.current
        try await database.write { try $0.run("INSERT INTO authors VALUES(3, \("\(number)"))") }
        await Task.yield()
        try await expectRows("SELECT name FROM authors WHERE id > 2", [["\(number)"]])
    }

    @Test(.database(migratedBy: Library.history)) func theInnermostTraitIsUsed() async throws {
        try await expectRows("SELECT count(*) FROM authors", [[0]])
    }

    @Suite(.database { try $0.run("CREATE TABLE inner_table(id)") })
    struct Inner {
        @Test func theInnerSuiteIsUsed() async throws {
            try await expectRows("SELECT name FROM sqlite_schema", [["inner_table"]])
        }
    }

    @Test func childTasksInheritTheDatabase() async throws {
        let database = try TestDatabase.current
        async let child = TestDatabase.current
        #expect(try await child === database)
        let unstructured = try await Task { try TestDatabase.current }.value
        #expect(unstructured === database)
        try await withThrowingTaskGroup(of: Database.self) { group in
            group.addTask { try TestDatabase.current }
            for try await inherited in group { #expect(inherited === database) }
        }
        try await confirmation { confirm in
            let confirmed = try TestDatabase.current
            #expect(confirmed === database)
            confirm()
        }
        let read = try await database.read { _ in try TestDatabase.current }
        #expect(read === database)
    }

    @Test func aDetachedTaskHasNone() async throws {
        let task = Task.detached { try TestDatabase.current }
        await #expect(throws: TestDatabaseError.missingTrait) { try await task.value }
    }

    @Test func withoutADateThereIsNoClock() {
        #expect(throws: TestDatabaseError.missingClock) { try TestDatabase.clock }
    }

    @Test(.database(.file, migratedBy: Library.history)) func aFileHasAWriteAheadLog() async throws {
        let database = try TestDatabase.current
        #expect(FileManager.default.fileExists(atPath: database.fileName))
        let mode: String = try await database.read { try $0.query("PRAGMA journal_mode") }
        #expect(mode == "wal")
    }
}

struct WithoutTraitTests {
    @Test func theErrorNamesTheTrait() {
        let error = #expect(throws: TestDatabaseError.missingTrait) { try TestDatabase.current }
        #expect(error.map { "\($0)".contains("'.database(…)'") } == true)
        #expect(throws: TestDatabaseError.missingTrait) { try TestDatabase.clock }
    }

    @Test func theExpectationsThrowIt() async {
        await #expect(throws: TestDatabaseError.missingTrait) { try await expectRows("SELECT 1", [[1]]) }
        await #expect(throws: TestDatabaseError.missingTrait) { try await expectQueries(0) {} }
        await #expect(throws: TestDatabaseError.missingTrait) { try await expectSQL([]) {} }
    }
}

/// The scopes are run by hand here, since a test cannot run after another one has ended.
struct DatabaseScopeTests {
    private struct Failure: Error {}

    private func run(
        _ trait: DatabaseTrait, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let test = try #require(Test.current)
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
    }

    private func keep(_ trait: DatabaseTrait, throwing error: (any Error)? = nil) async throws -> Database {
        let kept = Kept()
        do {
            try await run(trait) {
                kept.database = try TestDatabase.current
                if let error { throw error }
            }
        } catch is Failure {}
        return try #require(kept.database)
    }

    /// Sendable, because the scope has ended when the database is read.
    private final class Kept: @unchecked Sendable {
        var database: Database?
    }

    @Test(arguments: [DatabaseTrait.Place.memory, .file], [false, true])
    func theDatabaseIsClosedAndItsFileRemoved(place: DatabaseTrait.Place, throwing: Bool) async throws {
        let database = try await keep(.database(place), throwing: throwing ? Failure() : nil)
        await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
        let name = database.fileName
        #expect(name.isEmpty == (place == .memory))
        #expect(!FileManager.default.fileExists(atPath: name))
        #expect(!FileManager.default.fileExists(atPath: name + "-wal"))
    }

    @Test func theErrorOfATestIsThrown() async {
        await #expect(throws: Failure.self) { try await run(.database()) { throw Failure() } }
    }

    @Test func afterAFailedMigrationTheTestDoesNotRun() async {
        let schema = Schema("broken") { Version(1) { Execute("CREATE TABLE") } }
        let reports = Locked<[String]>([])
        await #expect(throws: (any Error).self) {
            try await run(.database(migratedBy: schema, seed: { _ in reports.append("seed") })) {
                reports.append("test")
            }
        }
        #expect(reports.value == [])
    }

    @Test func afterAFailedPreparationOrSeedTheTestDoesNotRun() async {
        let reports = Locked<[String]>([])
        await #expect(throws: Failure.self) {
            try await run(.database(seed: { _ in throw Failure() })) { reports.append("test") }
        }
        await #expect(throws: Failure.self) {
            try await run(.database(preparation: { _ in throw Failure() })) { reports.append("test") }
        }
        #expect(reports.value == [])
    }

    @Test func configurationAndPreparationAreOfTheProgram() async throws {
        var configuration = Configuration.recommended
        configuration.foreignKeys = false
        let trait = DatabaseTrait.database(
            configuration: configuration, seed: { try $0.run("CREATE TABLE t(a DEFAULT (twice(4)))") },
            preparation: { try $0.addFunction("twice", innocuous: true) { (value: Int) in value * 2 } })
        try await run(trait) {
            try await expectRows("PRAGMA foreign_keys", [[0]])
            try await TestDatabase.current.write { try $0.run("INSERT INTO t DEFAULT VALUES") }
            try await expectRows("SELECT a FROM t", [[8]])
        }
    }

    @Test func anOuterScopeIsRestored() async throws {
        try await run(.database()) {
            let outer = try TestDatabase.current
            try await run(.database()) {
                let inner = try TestDatabase.current
                #expect(inner !== outer)
            }
            let restored = try TestDatabase.current
            #expect(restored === outer)
        }
    }
}

private let opened = Locked<[String]>([])

/// The database of the outer trait is not opened where an inner one is used.
@Suite(.database(seed: { _ in opened.append("outer") }))
struct OuterTraitTests {
    @Test(.database(seed: { _ in opened.append("inner") })) func onlyTheInnermostIsOpened() {
        #expect(opened.value == ["inner"])
    }
}
