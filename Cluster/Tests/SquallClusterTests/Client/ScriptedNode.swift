import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

@testable import SquallCluster

/// A server on loopback that answers each thing it reads with the next step of a script.
struct ScriptedNode {
    enum Step: Sendable {
        case send(ByteBuffer)
        case close
        /// Answers nothing.
        case ignore
    }

    static let welcome = ByteBuffer.message(.welcome) { $0.writeWord(15_000) }

    private let channel: any Channel
    /// Whether all bytes of the last answer are on their way.
    let hasWritten = NIOLockedValueBox(false)

    /// Starts a server, which answers the handshake before the script.
    init(_ script: [Step], greeting: Step = .send(welcome), tls: TLSConfiguration? = nil) async throws {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [hasWritten] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(ScriptHandler([greeting] + script, hasWritten: hasWritten))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    var address: String { "127.0.0.1:\(port)" }

    func connect(_ change: (inout ConnectionSettings) -> Void = { _ in }) async throws -> NodeConnection {
        var settings = ConnectionSettings()
        change(&settings)
        return try await NodeConnection.connect(to: address, settings: settings)
    }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var steps: [ScriptedNode.Step]
    private var received = 0
    private let hasWritten: NIOLockedValueBox<Bool>

    init(_ steps: [ScriptedNode.Step], hasWritten: NIOLockedValueBox<Bool>) {
        self.steps = steps.reversed()
        self.hasWritten = hasWritten
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let first = received == 0
        received += unwrapInboundIn(data).readableBytes
        // The version of the protocol may come alone.
        if first, received == 8 { return }
        switch steps.popLast() ?? .ignore {
        case .send(let bytes):
            hasWritten.withLockedValue { $0 = false }
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenSuccess { [hasWritten] in hasWritten.withLockedValue { $0 = true } }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
        case .close: context.close(promise: nil)
        case .ignore: break
        }
    }
}
