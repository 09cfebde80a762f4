import Testing

@testable import Squall

/// Requiring a schema in a task that is cancelled.
@Suite(.timeLimit(.minutes(10)))
struct RequireCancellationTests {
    @Test func `a cancelled task does not check`() async throws {
        let database = try Database(directory.file("cars.db"))
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
