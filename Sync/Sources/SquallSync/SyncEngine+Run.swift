import Foundation
import Squall
import SquallChanges

extension SyncEngine {
    /// Synchronises until its task is cancelled, or the database is closed: at once, after each commit of the database, and when the hub tells
    /// of changes. After a failure it waits, longer after each one, up to five minutes: ``SyncState/waiting(retryAt:error:)``. A commit ends the wait
    /// after its first second.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; the error with which commits cannot be recorded any more.
    public func run() async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [tables, database] in
                try await database.forEachCommit(in: tables.map(\.name)) { wake.yield() }
            }
            group.addTask { try await self.followHub { wake.yield() } }
            group.addTask { try await self.synchronise(wakes, wake) }
            // The first one ends when the database is closed, and all when the task is cancelled.
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    private func followHub(_ wake: @Sendable () -> Void) async throws {
        var pause = SyncPause()
        while true {
            var shortest = Duration.zero
            let start = ContinuousClock.now
            do {
                for try await cursor in transport.events() {
                    if try await self.cursor() == cursor { continue }
                    hubHasMore = true
                    wake()
                }
            } catch {
                // The rounds report what is wrong with the connection.
                try Task.checkCancellation()
                shortest = (error as? SyncHTTPError)?.retryAfter ?? .zero
            }
            // A proxy may end each stream after its first event.
            if ContinuousClock.now - start > .seconds(10) { pause = SyncPause() }
            try await clock.sleep(for: max(pause.next(), shortest))
        }
    }

    private func synchronise(_ wakes: AsyncStream<Void>, _ wake: AsyncStream<Void>.Continuation) async throws {
        var pause = SyncPause()
        var wakes = wakes.makeAsyncIterator()
        hubHasMore = true
        while true {
            do {
                // The changes of a merge wake as well.
                let hasUnsent = try await hasUnsent()
                if hubHasMore || hasUnsent {
                    hubHasMore = false
                    try await now()
                }
                pause = SyncPause()
            } catch {
                try Task.checkCancellation()
                try await followed.flush()
                hubHasMore = true
                let shortest = (error as? SyncHTTPError)?.retryAfter ?? .zero
                let duration = max(pause.next(), shortest)
                report(error, retryIn: duration)
                let first = min(duration, max(.seconds(1), shortest))
                try await clock.sleep(for: first)
                let rest = Task { [clock] in
                    try await clock.sleep(for: duration - first)
                    wake.yield()
                }
                defer { rest.cancel() }
                guard await wakes.next() != nil else { return }
                continue
            }
            guard await wakes.next() != nil else { return }
        }
    }

    private func report(_ error: any Error, retryIn duration: Duration) {
        if case .version(let hub) = error as? SyncRefusal { return report(.needsMigration(hub: hub)) }
        report(.waiting(retryAt: Date(timeIntervalSinceNow: duration / .seconds(1)), error: error))
    }
}
