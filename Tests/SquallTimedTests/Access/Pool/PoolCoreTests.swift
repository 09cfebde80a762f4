import Foundation
import SquallTestSupport
import Testing

@testable import Squall

@Suite(.timeLimit(.minutes(10)))
struct PoolCoreTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    // MARK: Draining

    @Test(arguments: [0, -1, 1e-6, .nan, -.infinity]) func theDrainDelayHasALeastValue(delay: TimeInterval) {
        #expect(PoolCore.drainInterval(delay) == 0.05)
    }

    @Test func longerDrainDelaysAreKept() {
        #expect(PoolCore.drainInterval(2) == 2)
        #expect(PoolCore.drainInterval(.infinity) == 1e6)
    }

    @Test func aDrainDelayOfZeroClosesIdleReaders() throws {
        let database = try Database(path, drainDelay: 0)
        let gate = Gate()
        let other = ThreadResult { try database.blocking.read { _ in gate.wait() } }
        until { database.statistics.busyReaders == 1 }
        try database.blocking.read { _ in #expect(database.statistics.readers == 2) }
        gate.open()
        try other.get()
        until { database.statistics.readers == 1 }
    }

    // MARK: Timeouts

    @Test func aDeadlineEndsTheWaitForAConnectionInPlaceOfOneThatCannotBeOpened() throws {
        let opened = Shared(0)
        let core = PoolCore(.database, maximum: 2, drainDelay: nil) { _ in
            opened.update { $0 += 1 }
            if opened.value > 1 { throw SQLiteError(code: 14, message: "too many open files") }
            return try Connection()
        }
        let first = try core.acquire()
        let kind = try errorKind {
            _ = try core.acquire(until: Deadline(after: .milliseconds(20)))
        }
        #expect(kind == .interrupted(.deadline))
        core.release(first)
    }

    // MARK: Timers

    @Test func theTimerOfADeadlineEndsWithTheWaiting() throws {
        let database = try Database(path)
        let core = database.writer
        let (granted, withdrawn) = (Waiter(), Waiter())
        let outcomes = Shared<[String]>([])
        let pooled = try core.acquire()
        for waiter in [granted, withdrawn] {
            core.requestConnection(for: waiter, until: Deadline(after: .seconds(3600))) { outcome in
                if case .granted(let pooled?) = outcome {
                    outcomes.update { $0.append("granted") }
                    core.release(pooled)
                } else {
                    outcomes.update { $0.append("refused") }
                }
            }
        }
        let timers = [granted, withdrawn].compactMap(\.timer)
        #expect(timers.map(\.isCancelled) == [false, false])
        core.withdraw(withdrawn, CancellationError())
        #expect(timers.map(\.isCancelled) == [false, true])
        core.release(pooled)
        #expect(timers.map(\.isCancelled) == [true, true])
        #expect(outcomes.value == ["refused", "granted"])
    }

    @Test func aCallThatDoesNotWaitHasNoTimer() throws {
        let database = try Database(path)
        let waiter = Waiter()
        database.writer.requestConnection(for: waiter, until: Deadline(after: .seconds(3600))) { outcome in
            if case .granted(let pooled?) = outcome { database.writer.release(pooled) }
        }
        #expect(waiter.timer == nil)
    }
}
