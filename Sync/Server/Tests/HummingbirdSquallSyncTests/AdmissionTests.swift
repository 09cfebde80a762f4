import Testing

@testable import HummingbirdSquallSync

@Suite struct AdmissionTests {
    private let start = ContinuousClock.now

    @Test func requestsOfAMinuteAreCounted() {
        var limits = SyncLimits()
        limits.requestsPerMinute = 2
        var counts = AdmissionCounts(limits)
        for _ in 0..<2 {
            #expect(counts.admit("ada", .request, at: start) == nil)
            counts.release("ada", .request)
        }
        #expect(counts.admit("ada", .request, at: start + .seconds(20)) == .seconds(40))
        #expect(counts.admit("bob", .request, at: start) == nil)
        #expect(counts.admit("ada", .request, at: start + .seconds(60)) == nil)
    }

    @Test func openRequestsAreCounted() {
        var limits = SyncLimits()
        limits.requestsAtOnce = 1
        limits.eventStreams = 1
        var counts = AdmissionCounts(limits)
        for kind in [AdmissionCounts.Kind.request, .eventStream] {
            #expect(counts.admit("ada", kind, at: start) == nil)
            #expect(counts.admit("ada", kind, at: start) == .seconds(1))
            counts.release("ada", kind)
            #expect(counts.admit("ada", kind, at: start) == nil)
        }
    }

    /// Principals that do nothing are not remembered.
    @Test func idlePrincipalsAreRemoved() {
        var counts = AdmissionCounts(SyncLimits())
        #expect(counts.admit("live", .eventStream, at: start) == nil)
        for number in 0..<5_000 {
            let user = "\(number)"
            #expect(counts.admit(user, .request, at: start + .seconds(number)) == nil)
            counts.release(user, .request)
        }
        #expect(counts.count < 1_100)
        counts.release("live", .eventStream)
    }

    @Test func aPermitCountsUntilItIsReleased() throws {
        var limits = SyncLimits()
        limits.requestsAtOnce = 1
        let admission = Admission(limits)
        do {
            let permit = try admission.admit("ada", .request)
            #expect(throws: Admission.Refused.self) { try admission.admit("ada", .request) }
            withExtendedLifetime(permit) {}
        }
        _ = try admission.admit("ada", .request)
    }
}
