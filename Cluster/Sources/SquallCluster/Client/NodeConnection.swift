import NIOCore
import Squall

/// A connection to one node of a cluster.
///
/// It runs one request at a time, in the order in which they were made. A request that is cancelled or late after it
/// was sent closes the connection.
public final class NodeConnection: Sendable {
    /// The address that was connected to.
    public let address: NodeAddress
    let settings: ConnectionSettings
    private let channel: any Channel
    private let handler: NIOLoopBound<ConnectionHandler>

    init(
        address: NodeAddress, settings: ConnectionSettings, channel: any Channel,
        handler: NIOLoopBound<ConnectionHandler>
    ) {
        self.address = address
        self.settings = settings
        self.channel = channel
        self.handler = handler
    }

    deinit {
        channel.close(promise: nil)
    }

    /// The event loop of the connection.
    var eventLoop: any EventLoop { channel.eventLoop }

    /// The port of this end of the connection.
    var localPort: UInt16? { channel.localAddress?.port.flatMap { UInt16(exactly: $0) } }

    /// Whether the connection can be used.
    public var isOpen: Bool { channel.isActive }

    /// Closes the connection. Requests under way fail.
    public nonisolated(nonsending) func close() async {
        onLoop { $0.close() }
        try? await channel.closeFuture.get()
    }

    /// Closes the connection without waiting for its end.
    func closeSoon(_ error: ClusterError = .closed) {
        onLoop { $0.close(error) }
    }
}

extension NodeConnection {
    /// Makes a request and waits for its reply.
    nonisolated(nonsending) func reply(to work: Job<Waiter>.Work, deadline: Duration?) async throws -> Reply {
        let deadline = self.deadline(after: deadline)
        return try await wait { handler, waiter in
            handler.submit(Job(work: work, waiter: waiter, deadline: deadline))
        }
    }

    /// Makes a request with one reply and decodes it. A malformed reply closes the connection.
    nonisolated(nonsending) func send<Value>(
        _ request: Request, deadline: Duration?, decode: (Message) throws -> Value
    ) async throws -> Value {
        try request.check(limit: settings.maximumMessageSize)
        return try decodeReply(try await reply(to: .request(request), deadline: deadline), decode)
    }

    func decodeReply<Value>(_ reply: Reply, _ decode: (Message) throws -> Value) throws -> Value {
        guard case .message(let message) = reply else { throw ClusterError.closed }
        return try closingIfMalformed { try decode(message) }
    }

    func closingIfMalformed<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as WireError {
            closeMalformed(error)
            throw ClusterError.malformed(error)
        }
    }

    func closeMalformed(_ error: WireError) {
        onLoop { $0.close(.malformed(error)) }
    }

    /// Waits for the next parts of the open rows.
    nonisolated(nonsending) func nextRows(deadline: Duration?) async throws -> Reply {
        let deadline = self.deadline(after: deadline)
        return try await wait { handler, waiter in handler.requestRows(waiter, deadline: deadline) }
    }

    func abandonRows() {
        onLoop { $0.abandonRows() }
    }

    /// Runs a statement without rows. Once it was sent, the task waits for its result even if it is cancelled.
    nonisolated(nonsending) func executeToEnd(_ sql: String, deadline: Duration) async throws -> ExecutionResult {
        let waiter = Waiter()
        let job = Job(
            work: .statement(sql: sql, values: [], use: .execute), waiter: waiter,
            deadline: self.deadline(after: deadline))
        let reply = try await withCheckedThrowingContinuation { continuation in
            waiter.wait(with: continuation)
            onLoop { $0.submit(job) }
        }
        return try decodeReply(reply) { try $0.result(sql: sql) }
    }

    /// Sends a statement without rows after the requests under way. If it fails, the connection is closed with its
    /// error.
    func post(_ sql: String, deadline: Duration) {
        let waiter = Waiter { [weak self] reply in self?.closeAfterFailure(reply, of: sql) }
        let job = Job(
            work: .statement(sql: sql, values: [], use: .execute), waiter: waiter,
            deadline: self.deadline(after: deadline))
        onLoop { $0.submit(job) }
    }

    private func closeAfterFailure(_ reply: Result<Reply, any Error>, of sql: String) {
        do {
            _ = try decodeReply(try reply.get()) { try $0.result(sql: sql) }
        } catch {
            let error = error as? ClusterError ?? .closed
            closeSoon(error)
        }
    }

    private nonisolated(nonsending) func wait(
        _ start: @escaping @Sendable (ConnectionHandler, Waiter) -> Void
    ) async throws -> Reply {
        let waiter = Waiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.wait(with: continuation)
                onLoop { start($0, waiter) }
            }
        } onCancel: {
            waiter.cancel()
            onLoop { $0.cancel(waiter) }
        }
    }

    /// Runs a closure on the event loop, at once if the caller is on it.
    private func onLoop(_ body: @escaping @Sendable (ConnectionHandler) -> Void) {
        if channel.eventLoop.inEventLoop {
            body(handler.value)
        } else {
            channel.eventLoop.execute { [handler] in body(handler.value) }
        }
    }

    private func deadline(after duration: Duration?) -> NIODeadline {
        .now() + TimeAmount(duration ?? settings.requestDeadline)
    }
}
