import Foundation
import Squall

/// A read that stays open on another thread while rows are written, and reads that continue the snapshot of an earlier one.
final class HeldReadFeature: FeatureParts {
    /// `nil` where there is one connection, or a lock for the whole file: writes wait for the read.
    private var attached: AttachedReads?

    func setUp(_ world: World) throws {}

    func start(_ world: World) throws {
        if world.settings.isInMemory || world.settings.configuration.journalMode == .delete { return }
        attached = try AttachedReads(world)
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        guard let attached else { return }
        try attached.check(world)
        world.log("// A thread is inside db.blocking.read until the next writes have ended.")
        let (database, verbs) = (world.database, world.verbs)
        let (isOpen, mayEnd, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let held = HeldRows()
        Thread.detachNewThread {
            do {
                try database.blocking.read { connection in
                    held.before = try verbs.all(connection)
                    isOpen.signal()
                    mayEnd.wait()
                    held.after = try verbs.all(connection)
                }
            } catch {
                held.error = error
                isOpen.signal()
            }
            hasEnded.signal()
        }
        isOpen.wait()
        let expected = world.model.rows.map(\.fingerprint)
        let result = Result {
            // A suspension and a VACUUM wait until the read has ended.
            for part in world.parts where !(part is Self || part is SuspensionFeature || part is CopyFeature) {
                try part.step(world, &dice)
            }
            for _ in 0...dice.number(below: 2) {
                try world.write([Change.random(world.model, world.shape, &dice)], nil, &dice)
            }
        }
        mayEnd.signal()
        hasEnded.wait()
        try result.get()
        if let error = held.error { throw error }
        for (rows, subject) in [(held.before, "before"), (held.after, "after")] {
            try require(
                rows.sorted { $0.id < $1.id }.map(\.fingerprint), equals: expected,
                "rows of a held read \(subject) the writes")
        }
        try world.check()
    }

    func check(_ connection: Connection, _ model: Model) throws {}

    func stop() {
        attached?.close()
        attached = nil
    }
}

/// The rows of a read at its beginning and its end.
///
/// Sendable, because the thread that makes it reads it after the other one has ended.
private final class HeldRows: @unchecked Sendable {
    var before: [ItemRow] = []
    var after: [ItemRow] = []
    var error: (any Error)?
}
