import SquallTestSupport
import Testing

@testable import Squall

/// Items from tasks to a thread, and variables under a lock, with several threads.
@Suite(.timeLimit(.minutes(10)))
struct HandoverThreadTests {
    private let handover = Handover<Int>()

    @Test func aTaskWaitsUntilItsItemIsTaken() async throws {
        #expect(handover.accepts(1))
        let isTaken = Shared(false)
        let task = Task { [handover] in
            await handover.waitUntilTaken()
            #expect(isTaken.value)
            _ = handover.add(2)
            handover.finish()
        }
        let items = ThreadResult { [handover] in
            isTaken.update { $0 = true }
            var items: [Int] = []
            while let item = try handover.next({}) { items.append(item) }
            return items
        }
        await task.value
        #expect(try items.get() == [1, 2])
    }

    @Test func aStopEndsTheWaitOfATask() async {
        #expect(handover.accepts(1))
        let task = Task { [handover] in await handover.waitUntilTaken() }
        #expect(handover.stop(CancellationError()) == [1])
        await task.value
    }

    @Test func aThreadWaitsForAnItem() throws {
        let isWaiting = Shared(false)
        let item = ThreadResult { [handover] in try handover.next { isWaiting.update { $0 = true } } }
        until { isWaiting.value }
        #expect(handover.accepts(1))
        #expect(try item.get() == 1)
    }

    @Test func threadsChangeAVariableOneAfterTheOther() throws {
        let sum = Locked(0)
        let threads = (0..<4).map { _ in
            ThreadResult { for _ in 0..<10_000 { sum.withLock { $0 += 1 } } }
        }
        for thread in threads { try thread.get() }
        #expect(sum.withLock { $0 } == 40_000)
    }

    @Test func aThreadWaitsForAValueOfAVariable() throws {
        let (number, changed) = (Locked(0), ConditionVariable())
        let found = ThreadResult {
            number.wait(for: changed, atMost: .seconds(600)) { $0 == 3 ? "three" : nil }
        }
        for _ in 0..<3 {
            number.withLock {
                $0 += 1
                changed.broadcast()
            }
        }
        #expect(try found.get() == "three")
    }
}

extension Handover {
    /// Adds an item, and returns whether it was not refused.
    fileprivate func accepts(_ item: sending Item) -> Bool { if case nil = add(item) { true } else { false } }
}
