import Dispatch
import Testing

@testable import Squall

@Suite(.timeLimit(.minutes(10)))
struct DeadlineTests {
    @Test func aDeadlineInTheFutureHasNotPassed() {
        let deadline = Deadline(after: .seconds(3600))
        #expect(!deadline.hasPassed)
        #expect(deadline.rest > .zero && deadline.rest <= .seconds(3600))
    }

    @Test(arguments: [Duration.zero, .nanoseconds(-1), .seconds(-3600), .seconds(Int64.min)])
    func aDurationThatIsNotPositivePassesAtOnce(duration: Duration) {
        let deadline = Deadline(after: duration)
        #expect(deadline.hasPassed)
        #expect(deadline.rest == .zero)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e15), .seconds(18_446_744_073), .seconds(18_446_744_074)])
    func aDurationThatIsTooLongNeverPasses(duration: Duration) {
        let deadline = Deadline(after: duration)
        #expect(!deadline.hasPassed)
        #expect(deadline.rest > .seconds(9_000_000_000))
        #expect(deadline.dispatchTime > .now() + 900_000_000.0)
    }

    @Test func theEarlierDeadlineIsTheSmaller() {
        let (early, late) = (Deadline(after: .milliseconds(1)), Deadline(after: .seconds(1)))
        #expect(early < late)
        #expect(min(late, early) == early)
    }

    @Test func theClockIsTheContinuousOne() {
        let before = ContinuousClock.now
        let deadline = Deadline(after: .milliseconds(2))
        while !deadline.hasPassed {}
        #expect(ContinuousClock.now - before >= .milliseconds(2))
    }

    @Test func anOverlongDeadlineDoesNotEndACall() throws {
        let database = try Database(storageLocation: .inMemory)
        let one: Int = try database.blocking.read(deadline: .seconds(Int64.max)) { try $0.query("SELECT 1") }
        #expect(one == 1)
    }
}
