import Foundation
import Squall
import Testing

/// A trait that gives each test, and each case of a parameterised test, a database of its own.
///
///     @Suite(.database(migratedBy: history))
///     struct PeopleTests {
///         @Test func …
///     }
///
/// For each case, in this order: the database is opened, migrated and filled; the test runs, with the database as
/// ``TestDatabase/current``; the database is closed, also if the test throws, and its file removed. If opening,
/// migrating or filling throws, the error is recorded as an issue of the test, whose body does not run.
///
/// Of several traits, the innermost is used, and the database of no other is opened. Tests that run in parallel do not
/// share anything.
public struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    /// The place of a test's database.
    public enum Place: Hashable, Sendable {
        /// In memory, with one connection: `Database(":memory:")`. Reads and writes take turns.
        case memory
        /// In a temporary file with a write-ahead log: `Database.temporary()`. Reads run beside writes.
        case file
    }

    // A class, so that a trait is told from an equal one.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let place: Place
    private let schema: Schema?
    private let configuration: Configuration
    private let clockDate: Date?
    private let seed: (@Sendable (Connection) throws -> Void)?
    private let preparation: (@Sendable (Connection) throws -> Void)?

    /// The tests of a suite have the trait, and not the suite itself.
    @_documentation(visibility: internal)
    public var isRecursive: Bool { true }

    fileprivate init(
        place: Place, schema: Schema?, configuration: Configuration, clockDate: Date?,
        seed: (@Sendable (Connection) throws -> Void)?, preparation: (@Sendable (Connection) throws -> Void)?
    ) {
        self.place = place
        self.schema = schema
        self.configuration = configuration
        self.clockDate = clockDate
        self.seed = seed
        self.preparation = preparation
    }

    /// Returns the trait itself for a case of a test whose innermost trait it is; otherwise `nil`.
    @_documentation(visibility: internal)
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> DatabaseTrait? {
        guard testCase != nil else { return nil }
        let innermost = test.traits.last { $0 is DatabaseTrait } as? DatabaseTrait
        return innermost.map { $0.identity === identity } ?? true ? self : nil
    }

    /// Runs a test with a database.
    ///
    /// - Throws: The error of opening, migrating or filling the database, or that of the test.
    @_documentation(visibility: internal)
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let clock = clockDate.map { TestClock(at: $0) }
        let database = try open(clock)
        do {
            if let schema { try await database.migrate(schema) }
            if let seed { try await database.write(seed) }
            try await TestDatabase.$values.withValue(
                TestDatabase.Values(database: database, clock: clock), operation: function)
        } catch {
            // The error of the test counts.
            try? await close(database)
            throw error
        }
        try await close(database)
    }

    private func open(_ clock: TestClock?) throws -> Database {
        let prepare: @Sendable (Connection) throws -> Void = { [preparation] connection in
            try clock?.install(on: connection)
            try preparation?(connection)
        }
        return switch place {
        case .memory: try Database(":memory:", configuration: configuration, preparation: prepare)
        case .file: try Database.temporary(configuration: configuration, preparation: prepare)
        }
    }

    /// Closes a database, and removes its file. The folder is removed with the last reference to the database, which a
    /// test may have kept.
    private func close(_ database: Database) async throws {
        try await database.close()
        guard place == .file else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: database.fileName + suffix)
        }
    }
}

extension Trait where Self == DatabaseTrait {
    /// Gives each test a database of its own, which it reads from ``TestDatabase/current``.
    ///
    ///     @Test(.database(migratedBy: history) { try $0.insert(ada) })
    ///     func adaIsFound() async throws { … }
    ///
    /// - Parameters:
    ///   - place: In memory, or in a temporary file for tests of the write-ahead log, of reads beside writes, and of
    ///     second connections to ``Database/fileName``.
    ///   - schema: The schema to whose latest version the database is migrated.
    ///   - configuration: The settings of each connection.
    ///   - clockAt: The time at which a ``TestClock`` stands still, which is made for each test and installed on each
    ///     connection; `nil` for the time of the system.
    ///   - seed: A closure that fills the migrated database, in one transaction.
    ///   - preparation: A closure that is called with each new connection, after the clock is installed: the place for
    ///     functions and collations of the program.
    public static func database(
        _ place: DatabaseTrait.Place = .memory,
        migratedBy schema: Schema? = nil,
        configuration: Configuration = .recommended,
        clockAt: Date? = nil,
        seed: (@Sendable (Connection) throws -> Void)? = nil,
        preparation: (@Sendable (Connection) throws -> Void)? = nil
    ) -> DatabaseTrait {
        DatabaseTrait(
            place: place, schema: schema, configuration: configuration, clockDate: clockAt, seed: seed,
            preparation: preparation
        )
    }
}
