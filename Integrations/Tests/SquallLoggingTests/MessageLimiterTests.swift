import Testing

@testable import SquallLogging

struct MessageLimiterTests {
    @Test func suppressedMessagesAreCountedForTheNextOne() {
        var limiter = MessageLimiter(maximum: 2, interval: .seconds(10))
        let start = ContinuousClock.now
        let times = [0, 1, 2, 3, 10, 11, 12, 20].map { start + .seconds($0) }
        #expect(times.map { limiter.admit(.backup, at: $0) } == [0, 0, nil, nil, 2, 0, nil, 1])
    }

    @Test func messagesThatAreSuppressedElsewhereAreCounted() {
        var limiter = MessageLimiter(maximum: 1, interval: .seconds(10))
        let now = ContinuousClock.now
        for _ in 0..<3 { limiter.suppress(.backup, at: now) }
        #expect(limiter.admit(.backup, at: now) == 3)
    }

    @Test func kindsHaveLimitsOfTheirOwn() {
        var limiter = MessageLimiter(maximum: 1, interval: .seconds(10))
        let now = ContinuousClock.now
        #expect(limiter.admit(.backup, at: now) == 0)
        #expect(limiter.admit(.checkpoint, at: now) == 0)
        #expect(limiter.admit(.backup, at: now) == nil)
    }

    @Test func strangeLimitsStillLogSomething() {
        var limiter = MessageLimiter(maximum: -5, interval: .seconds(-1))
        let now = ContinuousClock.now
        #expect(limiter.admit(.backup, at: now) == 0)
        #expect(limiter.admit(.backup, at: now) == 0)
    }
}
