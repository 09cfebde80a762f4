import NIOCore
import NIOPosix

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

    /// Starts a server, which answers the handshake before the script.
    init(_ script: [Step], greeting: Step = .send(welcome)) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptHandler([greeting] + script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var address: String { "127.0.0.1:\(channel.localAddress?.port ?? 0)" }

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

    init(_ steps: [ScriptedNode.Step]) {
        self.steps = steps.reversed()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let first = received == 0
        received += unwrapInboundIn(data).readableBytes
        // The version of the protocol may come alone.
        if first, received == 8 { return }
        switch steps.popLast() ?? .ignore {
        case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        case .close: context.close(promise: nil)
        case .ignore: break
        }
    }
}
