import Observation
import SquallTestSupport
import Testing

@testable import Squall

/// An observable value on the main actor.
@Suite(.timeLimit(.minutes(10)))
@MainActor struct LiveTests {
    let cars: ObservedDatabase

    init() throws {
        cars = try ObservedDatabase()
    }

    /// Waits until a property that `read` uses changes.
    private func change(_ read: @MainActor () -> Void) async {
        await withCheckedContinuation { continuation in
            withObservationTracking(read) { continuation.resume() }
        }
        // Called before the change: the property has its value when this task continues on the main actor.
        await Task.yield()
    }

    /// Waits, while other work of the main actor runs.
    private func becomesTrue(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func itFollowsTheDatabase() async throws {
        let count = Live(cars.database) { try $0.query("SELECT count(*) FROM cars") as Int }
        #expect(count.value == nil)
        #expect(count.isLoading)
        await becomesTrue { count.value == 3 && !count.isLoading }
        try await cars.database.write { try $0.run("DELETE FROM cars WHERE id = 1") }
        await becomesTrue { count.value == 2 }
        #expect(count.error == nil)
    }

    @Test func anError() async throws {
        let count = Live(cars.database.observe("SELECT count(*) FROM missing", as: Int.self))
        await becomesTrue { count.error != nil }
        #expect(count.value == nil)
        #expect(!count.isLoading)
        try await cars.database.write { try $0.execute("CREATE TABLE missing(a)") }
        count.restart()
        await becomesTrue { count.value == 0 }
        #expect(count.error == nil)
    }

    @Test func changesAreObservable() async throws {
        let count = Live(cars.database) { try $0.query("SELECT count(*) FROM cars") as Int }
        await change { _ = count.value }
        await becomesTrue { count.value == 3 }
    }

    @Test func itEndsWhenItIsReleased() async throws {
        var count: Live<Int>? = Live(cars.database) { try $0.query("SELECT count(*) FROM cars") }
        await becomesTrue { count?.value == 3 }
        weak let released = count
        count = nil
        #expect(released == nil)
        await becomesTrue { cars.phase == .ended }
    }
}
