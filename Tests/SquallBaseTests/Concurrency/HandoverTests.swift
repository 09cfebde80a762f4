import SquallBase
import Testing

/// Items from tasks to a thread; see also `HandoverThreadTests`.
struct HandoverTests {
    private struct Failure: Error {}

    private let handover = Handover<Int>()

    private func isRefused(_ item: Int) -> Bool { if case nil = handover.add(item) { false } else { true } }

    @Test func itemsAreTakenInOrderAndTheEndComesAfterThem() throws {
        #expect(!isRefused(1))
        #expect(!isRefused(2))
        handover.finish()
        #expect(isRefused(3))
        #expect(try handover.next {} == 1)
        #expect(try handover.next {} == 2)
        #expect(try handover.next {} == nil)
        #expect(try handover.next {} == nil)
    }

    @Test func theErrorOfTheTasksComesAfterTheirItems() throws {
        #expect(!isRefused(1))
        handover.finish(Failure())
        // The first end counts.
        handover.finish()
        #expect(try handover.next {} == 1)
        #expect(throws: Failure.self) { try handover.next {} }
    }

    @Test func aStopRefusesItemsAndReturnsThoseThatWereNotTaken() throws {
        #expect(!isRefused(1))
        #expect(!isRefused(2))
        #expect(handover.stop(Failure()) == [1, 2])
        guard case .stopped(let error)? = handover.add(3) else {
            Issue.record("the item was not refused")
            return
        }
        #expect(error is Failure)
        handover.finish()
        #expect(try handover.next {} == nil)
        #expect(handover.stop(Failure()) == [])
    }

    @Test func aWaitEndsByTheErrorOfItsCheck() {
        var checks = 0
        #expect(throws: Failure.self) {
            try handover.next {
                checks += 1
                if checks == 3 { throw Failure() }
            }
        }
        #expect(checks == 3)
    }
}
