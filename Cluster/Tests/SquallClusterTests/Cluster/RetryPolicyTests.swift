import Testing

@testable import SquallCluster

@Suite struct RetryPolicyTests {
    @Test func pausesDoubleUpToTheLongest() {
        let policy = RetryPolicy()
        let longest = (1...9).map { policy.pause(afterAttempts: $0, part: 1) }
        #expect(longest == [2, 4, 8, 16, 32, 64, 128, 250, 250].map { Duration.milliseconds($0) })
        #expect(policy.pause(afterAttempts: 1, part: 0) == .milliseconds(1))
        #expect(policy.pause(afterAttempts: 1_000, part: 1) == .milliseconds(250))
    }

    @Test func attemptsAreLimited() {
        var policy = RetryPolicy()
        policy.maximumAttempts = 2
        #expect(policy.pause(afterAttempts: 1, part: 0) != nil)
        #expect(policy.pause(afterAttempts: 2, part: 0) == nil)
        #expect(RetryPolicy.never.pause(afterAttempts: 1, part: 0) == nil)
    }
}
