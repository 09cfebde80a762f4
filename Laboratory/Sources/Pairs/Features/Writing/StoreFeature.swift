import Foundation
import Squall
import SquallStore

/// Writes of code that knows only a store.
final class StoreFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let part = Int64(dice.number(below: 3))
        var new = world.model
        for id in new.items.keys where id % 3 == part { new.items[id]?.note = "stored gamma" }
        world.log(
            """
            // As `try await store.write` does.
            try db.blocking.write { try $0.run("UPDATE items SET note = 'stored gamma' WHERE part = ?", \(part)) }
            """)
        let (database, count) = (world.database, world.model.items.count)
        try Waiting.forTask {
            let store: any SQLStore = database
            try await store.write { connection in
                try await connection.run("UPDATE items SET note = 'stored gamma' WHERE part = ?", part)
            }
            let found: Int = try await store.read { try await $0.query("SELECT count(*) FROM items") }
            try require(found == count, "a store reads \(found) of \(count) rows")
        }
        try world.commit(new, by: self)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}

/// Asynchronous calls in a lane that is synchronous.
enum Waiting {
    /// The error of a task.
    ///
    /// Sendable, because it is read after the task has ended.
    private final class Box: @unchecked Sendable {
        var error: (any Error)?
    }

    /// Runs a closure in a task, and blocks the thread until it has ended.
    static func forTask(_ body: @escaping @Sendable () async throws -> Void) throws {
        let (box, isDone) = (Box(), DispatchSemaphore(value: 0))
        Task.detached {
            do { try await body() } catch { box.error = error }
            isDone.signal()
        }
        isDone.wait()
        if let error = box.error { throw error }
    }
}
