import Squall
import SquallTestSupport
import Testing

/// Requiring a schema in a task that is cancelled.
@Suite(.timeLimit(.minutes(10)))
struct RequireCancellationTests {
    private static let cars = ExpectedSchema(
        sqliteVersion: "3.40.1",
        tables: [
            .init("cars", [.init("id", "INTEGER", isNotNull: true), .init("name", "TEXT", isNotNull: false)])
        ])

    @Test func `a cancelled task does not check`() async throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("cars.db"))
        try await database.write { try $0.execute("CREATE TABLE cars(id INTEGER NOT NULL, name TEXT)") }
        let task = Task {
            try await database.read { reader in
                withUnsafeCurrentTask { $0?.cancel() }
                try reader.require(Self.cars)
            }
        }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
