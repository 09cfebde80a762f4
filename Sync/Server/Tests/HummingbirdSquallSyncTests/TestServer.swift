import Foundation
import Hummingbird
import HummingbirdSquallSync
import Logging
import ServiceLifecycle
import SquallBase
import SquallSync
import SquallSyncHub

/// A server on a port of the loopback interface, whose tokens are the names of users with a prefix. It runs until it is shut down, or the
/// process ends: SwiftNIO does not allow that it is cancelled while a connection is accepted.
final class TestServer: Sendable {
    let port: Int
    private let task: Task<Void, any Error>
    private let group: ServiceGroup

    private init(_ port: Int, _ task: Task<Void, any Error>, _ group: ServiceGroup) {
        self.port = port
        self.task = task
        self.group = group
    }

    var address: URL { .loopback(port) }

    /// Limits that no test exceeds unless it is about them.
    static var limits: SyncLimits {
        var limits = SyncLimits()
        limits.requestsPerMinute = 1_000_000
        limits.eventStreams = 2_000
        return limits
    }

    static func start(
        _ hub: SyncHub, limits: SyncLimits = TestServer.limits, port: Int = 0, wire: Wire = Wire()
    ) async throws -> TestServer {
        let router = Router()
        router.add(middleware: Faults(wire: wire))
        router.addSync("sync", hub: hub, limits: limits) { request, _ in
            guard let token = request.headers[.authorization], token.hasPrefix("Bearer token-of-") else {
                throw HTTPError(.unauthorized)
            }
            return SquallSyncHub.SyncPrincipal(user: String(token.dropFirst("Bearer token-of-".count)))
        }
        return try await start(router, port: port)
    }

    static func start(_ router: Router<BasicRequestContext>, port: Int = 0) async throws -> TestServer {
        let (ports, found) = AsyncThrowingStream.makeStream(of: Int.self)
        var logger = Logger(label: "server")
        logger.logLevel = .critical
        let app = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in found.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: app)], gracefulShutdownSignals: [], logger: logger))
        let task = Task {
            do {
                try await group.run()
                found.finish()
            } catch {
                found.finish(throwing: error)
                throw error
            }
        }
        for try await port in ports { return TestServer(port, task, group) }
        throw CancellationError()
    }

    func transport(_ user: String, silence: Duration = .seconds(60), byteLimit: Int = 64_000_000) -> HTTPSyncTransport {
        HTTPSyncTransport(address, byteLimit: byteLimit, silence: silence) { "token-of-\(user)" }
    }

    /// Ends the server as a process manager does.
    func shutDown() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
    }
}

extension URL {
    /// The address of a hub on this machine.
    static func loopback(_ port: Int) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/sync") else { preconditionFailure("a URL") }
        return url
    }
}

/// A proxy that loses requests and answers, and repeats requests.
private struct Faults: RouterMiddleware {
    let wire: Wire

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let fault = wire.next() else { return try await next(request, context) }
        if fault == .lost { throw HTTPError(.badGateway) }
        var request = request
        request.body = .init(buffer: try await request.body.collect(upTo: 16_000_000))
        let answer = try await next(request, context)
        if fault == .answerLost { throw HTTPError(.gatewayTimeout) }
        return fault == .repeated ? try await next(request, context) : answer
    }
}
