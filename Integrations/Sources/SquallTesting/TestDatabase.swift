import Squall

/// The database and the clock that the trait `.database(…)` gives to the running test.
///
///     @Test(.database(migratedBy: history))
///     func nobodyIsThereAtFirst() async throws {
///         let database = try TestDatabase.current
///         let count: Int = try await database.read {
///             try $0.query("SELECT count(*) FROM people")
///         }
///         #expect(count == 0)
///     }
///
/// They are task-local values: child tasks inherit them, also those of `async let`, of task groups and of `Task { … }`.
/// A detached task and a thread of your own do not: pass them the database.
public enum TestDatabase {
    /// The values of a test.
    struct Values: Sendable {
        let database: Database
        let clock: TestClock?
    }

    @TaskLocal static var values: Values?

    /// The database of the running test.
    ///
    /// It is closed when the test ends. A task that outlives its test finds it closed: every verb throws.
    ///
    /// - Throws: ``TestDatabaseError/missingTrait`` if neither the test nor its suites have the trait, and in a
    ///   detached task.
    public static var current: Database {
        get throws(TestDatabaseError) {
            guard let values else { throw .missingTrait }
            return values.database
        }
    }

    /// The clock of the running test, which its database uses.
    ///
    /// - Throws: ``TestDatabaseError/missingTrait`` as ``current``; ``TestDatabaseError/missingClock`` if the trait has
    ///   no `clockAt`.
    public static var clock: TestClock {
        get throws(TestDatabaseError) {
            guard let values else { throw .missingTrait }
            guard let clock = values.clock else { throw .missingClock }
            return clock
        }
    }
}

/// The reason why a test has no database or no clock.
public enum TestDatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither the test nor its suites have the trait, or the task is detached.
    case missingTrait
    /// The trait has no `clockAt`.
    case missingClock

    public var description: String {
        switch self {
        case .missingTrait:
            "no test database: add the trait '.database(…)' to the test or its suite; in a detached task, pass the database"
        case .missingClock:
            "no test clock: add 'clockAt' to the trait '.database(…)'"
        }
    }
}
