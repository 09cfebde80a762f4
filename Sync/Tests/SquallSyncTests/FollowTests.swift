import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Streams of events that do not last.
@Suite(.timeLimit(.minutes(1))) struct FollowTests {
    /// A transport whose streams end after one event, as those through some proxies do.
    private struct ShortTransport<Hub: SyncTransport>: ForwardingTransport {
        let hub: Hub
        let streams: Counter

        func events() -> AsyncThrowingStream<SyncCursor, any Error> {
            streams.add()
            return AsyncThrowingStream { continuation in
                let task = Task {
                    for try await cursor in hub.events() {
                        continuation.yield(cursor)
                        break
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }

    /// The pauses between them grow: on this clock, each step is a stream.
    @Test func streamsThatEndAreOpenedLessOften() async throws {
        let world = try await SyncWorld(devices: 0)
        let streams = Counter()
        let hub = world.hub.transport(for: SyncPrincipal(user: "ada"))
        let clock = RecordingClock()
        let device = try await SyncEngine(
            SyncWorld.database(), transport: ShortTransport(hub: hub, streams: streams), clock: clock
        ) { SyncTable("lists") }
        let task = Task { try await device.run() }
        defer { task.cancel() }
        #expect(try await happens { streams.value > 10 })
        let pauses = clock.pauses
        #expect(pauses.max() ?? .zero > .seconds(60))
    }
}

/// A clock on which no time passes, and that remembers how long it was to wait.
private final class RecordingClock: Clock, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [Duration] = []

    var pauses: [Duration] { lock.withLock { recorded } }
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        lock.withLock { recorded.append(deadline - .now) }
        await Task.yield()
    }
}
