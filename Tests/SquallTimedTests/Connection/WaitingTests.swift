import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// The instants at which waits end, and the sleep of a thread.
@Suite(.timeLimit(.minutes(10)))
struct WaitingTests {
    @Test func instantsAreOrdered() {
        let (soon, later, never) = (
            Deadline(after: .seconds(3600)), Deadline(after: .seconds(7200)), Deadline(after: .seconds(Int64.max))
        )
        #expect(soon < later && later < never)
        let same = soon
        #expect(!(soon < same))
        #expect(min(later, soon) == soon)
        #expect(Deadline(after: .zero).hasPassed)
        #expect(Deadline(after: .seconds(-1)).hasPassed)
        #expect(!later.hasPassed)
        #expect(later.rest > .seconds(3600) && later.rest <= .seconds(7200))
        #expect(Deadline(after: .zero).rest == .zero)
    }

    @Test func aSleepLastsItsDuration() {
        for duration in [Duration.milliseconds(20), .zero, .seconds(-1)] {
            let start = ContinuousClock.now
            sleepThread(duration)
            #expect(ContinuousClock.now - start >= duration)
        }
    }

    /// A signal ends `nanosleep`, which then has slept for a part of the time.
    @Test func aSleepGoesOnAfterASignal() {
        signal(SIGURG) { _ in }
        let thread = pthread_self()
        let isDone = Shared(false)
        let sender = ThreadResult {
            var count = 0
            while !isDone.value {
                pthread_kill(thread, SIGURG)
                count += 1
            }
            return count
        }
        let start = ContinuousClock.now
        sleepThread(.milliseconds(20))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        isDone.update { $0 = true }
        #expect((try? sender.get()) ?? 0 > 0)
    }
}
