import Foundation
import SquallChanges
import SquallSync

/// Waits up to some hundredths of a second.
func happens(within steps: Int = 150, _ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<steps {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return false
}

/// A clock on which no time passes.
struct StillClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .seconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: .seconds(3600))
    }
}

/// A clock on which a second passes at once, and no more.
struct ShortClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .seconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if deadline > now + .seconds(1) { try await Task.sleep(for: .seconds(3600)) }
    }
}

final class Ended: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: (any Error)?

    var error: (any Error)? { lock.withLock { stored } }

    func set(_ error: any Error) { lock.withLock { stored = error } }
}

final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var stored = 0

    var value: Int { lock.withLock { stored } }

    func add() { lock.withLock { stored += 1 } }
}

/// A transport that passes on what it does not change.
protocol ForwardingTransport: SyncTransport {
    associatedtype Hub: SyncTransport

    var hub: Hub { get }
}

extension ForwardingTransport {
    func push(_ batch: SyncBatch) async throws -> SyncCursor { try await hub.push(batch) }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage { try await hub.pull(request) }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows { try await hub.rows(request) }

    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await hub.audit(request) }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> { hub.events() }
}

/// A transport to a hub that says it lacks changes, also after they were sent again.
struct ForgetfulTransport<Hub: SyncTransport>: ForwardingTransport {
    let hub: Hub

    func push(_ batch: SyncBatch) async throws -> SyncCursor { throw SyncRefusal.missing(after: 0) }
}

struct CountingTransport<Hub: SyncTransport>: ForwardingTransport {
    let hub: Hub
    let counter: Counter

    func push(_ batch: SyncBatch) async throws -> SyncCursor {
        counter.add()
        return try await hub.push(batch)
    }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage {
        counter.add()
        return try await hub.pull(request)
    }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows {
        counter.add()
        return try await hub.rows(request)
    }

}

/// A transport whose events end as URLSession's tasks do that are cancelled.
struct CancellingTransport<Hub: SyncTransport>: ForwardingTransport {
    let hub: Hub

    func events() -> AsyncThrowingStream<SyncCursor, any Error> {
        AsyncThrowingStream { $0.finish(throwing: CancellationError()) }
    }
}

struct HangingTransport: SyncTransport {
    private func hang() async throws -> Never {
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    func push(_ batch: SyncBatch) async throws -> SyncCursor { try await hang() }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage { try await hang() }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows { try await hang() }

    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await hang() }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> { AsyncThrowingStream { _ in } }
}
