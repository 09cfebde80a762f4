import Hummingbird
import ServiceLifecycle
import SquallBase
import SquallChanges
import SquallSync

/// The positions of a hub as Server-Sent Events. A client that is slow gets the newest position only.
struct EventStream: Sendable {
    private let positions: AsyncThrowingStream<SyncCursor, any Error>
    private let limits: SyncLimits

    init(_ positions: AsyncThrowingStream<SyncCursor, any Error>, _ limits: SyncLimits) {
        self.positions = positions
        self.limits = limits
    }

    /// Writes events until the hub has no more, the task is cancelled, or the server is about to end.
    func write(to writer: any ResponseBodyWriter) async throws {
        let output = PatientWriter(writer, patience: limits.patience)
        let newest = Locked<SyncCursor?>(nil)
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await position in positions {
                        newest.withLock { $0 = position }
                        wake.yield()
                    }
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: limits.keepAlive)
                        wake.yield()
                    }
                }
                group.addTask {
                    for await _ in wakes {
                        let position = newest.withLock { newest in
                            defer { newest = nil }
                            return newest
                        }
                        try await output.write(ByteBuffer(string: position.map(Self.event) ?? ":\n"))
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private static func event(_ position: SyncCursor) -> String { "id: \(position.text)\nevent: changes\ndata:\n\n" }
}
