import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub

// The links in this folder are the tests of SquallSync. Here, this type takes the place of that of SquallSyncHub, so that their devices reach
// the hub over HTTP.

struct SyncPrincipal {
    let user: String
}

extension SyncHub {
    func transport(for principal: SyncPrincipal) -> some SyncTransport {
        ServedTransport(hub: self, user: principal.user)
    }
}

/// A transport to a server that begins with the first request.
private final class ServedTransport: SyncTransport {
    private let served: Task<(server: TestServer, transport: HTTPSyncTransport), any Error>

    init(hub: SyncHub, user: String) {
        served = Task {
            let server = try await TestServer.start(hub)
            return (server, server.transport(user))
        }
    }

    private var transport: HTTPSyncTransport { get async throws { try await served.value.transport } }

    func push(_ batch: SyncBatch) async throws -> SyncCursor { try await transport.push(batch) }

    func pull(_ request: SyncPullRequest) async throws -> SyncPage { try await transport.pull(request) }

    func rows(_ request: SyncRowsRequest) async throws -> SyncRows { try await transport.rows(request) }

    func audit(_ request: SyncAuditRequest) async throws -> Int? { try await transport.audit(request) }

    func events() -> AsyncThrowingStream<SyncCursor, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    for try await cursor in try await transport.events() { continuation.yield(cursor) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
