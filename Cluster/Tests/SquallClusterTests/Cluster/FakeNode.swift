import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

@testable import SquallCluster

/// A server on loopback that answers each request of its clients by a closure.
struct FakeNode {
    typealias Answer = @Sendable (Message) -> ScriptedNode.Step

    private let channel: any Channel
    let answer = NIOLockedValueBox<Answer>({ _ in .ignore })
    /// The type codes of the requests that were received.
    let requests = NIOLockedValueBox<[UInt8]>([])

    init() async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [answer, requests] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FakeHandler(answer, requests))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var address: String { "127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// Answers as a node that names a leader, with the members of the cluster.
    func names(_ leader: FakeNode?, id: UInt64 = 1, members: [FakeNode] = []) {
        let (address, addresses) = (leader?.address, members.map(\.address))
        answer.withLockedValue {
            $0 = { message in
                switch message.type {
                case Request.leader.type:
                    .send(
                        .message(.node) { body in
                            body.writeWord(address == nil ? 0 : id)
                            body.writeWireText(address ?? "")
                        })
                case Request.cluster.type:
                    .send(
                        .message(.nodes) { body in
                            body.writeWord(UInt64(addresses.count))
                            for (index, address) in addresses.enumerated() {
                                body.writeWord(UInt64(index + 1))
                                body.writeWireText(address)
                                body.writeWord(0)
                            }
                        })
                case Request.open(name: "").type:
                    .send(
                        .message(.database) { body in
                            body.writeHalfWord(0)
                            body.writeHalfWord(0)
                        })
                case Request.querySQL("", values: []).type:
                    .send(
                        .message(.failure) { body in
                            body.writeWord(1)
                            body.writeWireText("it has no rows")
                        })
                default: .send(ScriptedNode.welcome)
                }
            }
        }
    }

    func count(_ request: Request) -> Int {
        requests.withLockedValue { $0.count { $0 == request.type } }
    }
}

private final class FakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: NIOLockedValueBox<FakeNode.Answer>
    private let requests: NIOLockedValueBox<[UInt8]>
    private var reader = RequestReader()

    init(_ answer: NIOLockedValueBox<FakeNode.Answer>, _ requests: NIOLockedValueBox<[UInt8]>) {
        self.answer = answer
        self.requests = requests
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for message in (try? reader.read(unwrapInboundIn(data))) ?? [] {
            requests.withLockedValue { $0.append(message.type) }
            switch answer.withLockedValue({ $0 })(message) {
            case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .close: context.close(promise: nil)
            case .ignore: break
            }
        }
    }
}

/// Reads the requests of a client after the version of the protocol.
struct RequestReader {
    private var reader = MessageReader(limit: 1 << 24)
    private var version = 8

    mutating func read(_ bytes: ByteBuffer) throws -> [Message] {
        var bytes = bytes
        let length = min(version, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: length)
        version -= length
        reader.append(bytes)
        var messages: [Message] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }
}
