import SquallBase

/// The requests of each principal that are counted against its limits.
struct AdmissionCounts {
    enum Kind { case request, eventStream }

    private struct Account {
        var minute: ContinuousClock.Instant
        var requests = 0
        var open: [Kind: Int] = [:]

        func isIdle(_ now: ContinuousClock.Instant) -> Bool { open.values.allSatisfy { $0 == 0 } && now >= minute }
    }

    private let limits: SyncLimits
    private var accounts: [String: Account] = [:]
    private var sizeOfNextSweep = 1_000

    init(_ limits: SyncLimits) { self.limits = limits }

    /// Admits a request, or returns the time after which it may be made again.
    mutating func admit(_ user: String, _ kind: Kind, at now: ContinuousClock.Instant) -> Duration? {
        sweep(now)
        var account = accounts[user] ?? Account(minute: now + .seconds(60))
        if now >= account.minute { (account.minute, account.requests) = (now + .seconds(60), 0) }
        defer { accounts[user] = account }
        if account.requests >= limits.requestsPerMinute { return account.minute - now }
        account.requests += 1
        if account.open[kind, default: 0] >= (kind == .request ? limits.requestsAtOnce : limits.eventStreams) {
            return .seconds(1)
        }
        account.open[kind, default: 0] += 1
        return nil
    }

    mutating func release(_ user: String, _ kind: Kind) { accounts[user]?.open[kind]? -= 1 }

    var count: Int { accounts.count }

    /// Removes accounts that count nothing.
    private mutating func sweep(_ now: ContinuousClock.Instant) {
        if accounts.count < sizeOfNextSweep { return }
        accounts = accounts.filter { !$0.value.isIdle(now) }
        sizeOfNextSweep = max(1_000, accounts.count * 2)
    }
}

/// Admits requests within the limits.
final class Admission: Sendable {
    /// A request that was admitted. It counts until the last reference to it is released: an answer that cannot be sent releases it as well.
    final class Permit: Sendable {
        private let admission: Admission
        private let user: String
        private let kind: AdmissionCounts.Kind

        fileprivate init(_ admission: Admission, _ user: String, _ kind: AdmissionCounts.Kind) {
            self.admission = admission
            self.user = user
            self.kind = kind
        }

        deinit { admission.counts.withLock { $0.release(user, kind) } }
    }

    /// Too many requests.
    struct Refused: Error { let retryAfter: Duration }

    private let counts: Locked<AdmissionCounts>

    init(_ limits: SyncLimits) { counts = Locked(AdmissionCounts(limits)) }

    func admit(_ user: String, _ kind: AdmissionCounts.Kind) throws -> Permit {
        if let duration = counts.withLock({ $0.admit(user, kind, at: .now) }) { throw Refused(retryAfter: duration) }
        return Permit(self, user, kind)
    }
}
