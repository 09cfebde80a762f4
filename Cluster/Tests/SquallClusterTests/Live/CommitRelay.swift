import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

@testable import SquallCluster

/// A server in front of a node that cuts connections at COMMIT.
struct CommitRelay {
    enum Cut: Sendable {
        /// The node does not get the COMMIT.
        case before
        /// The node has committed, and the client does not get the reply.
        case after
        /// The node does not get the COMMIT, and the connection stays open.
        case silence
    }

    private let channel: any Channel
    /// The address that the node listens on.
    let node: NIOLockedValueBox<String>
    /// The cuts that the next COMMITs get.
    let cuts: NIOLockedValueBox<[Cut]>
    /// The connections whose COMMIT was met by silence.
    private let silent: NIOLockedValueBox<[Silence]>

    fileprivate struct Silence: Sendable {
        let node: any Channel
        let commit: ByteBuffer
    }

    init() async throws {
        let node = NIOLockedValueBox("")
        let cuts = NIOLockedValueBox<[Cut]>([])
        let silent = NIOLockedValueBox<[Silence]>([])
        (self.node, self.cuts, self.silent) = (node, cuts, silent)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { client in
                let address = NodeAddress(node.withLockedValue { $0 })
                return ClientBootstrap(group: client.eventLoop)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: address?.host ?? "", port: address?.port ?? 0)
                    .flatMapThrowing { server in
                        let relay = Relay(client: client, server: server, cuts, silent)
                        try client.pipeline.syncOperations.addHandler(FromClient(relay))
                        try server.pipeline.syncOperations.addHandler(FromNode(relay))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Whether a COMMIT was met by silence.
    var isSilent: Bool { silent.withLockedValue { !$0.isEmpty } }

    /// Gives the node the COMMITs that it did not get.
    func endSilence() {
        for silence in silent.withLockedValue({ $0 }) { silence.node.writeAndFlush(silence.commit, promise: nil) }
    }

    var address: String { "127.0.0.1:\(channel.localAddress?.port ?? 0)" }
}

/// A connection of a client and that to the node, both on one event loop.
private final class Relay {
    let client: any Channel
    let server: any Channel
    let cuts: NIOLockedValueBox<[CommitRelay.Cut]>
    let silent: NIOLockedValueBox<[CommitRelay.Silence]>
    var requests = RequestReader()
    var replies = MessageReader(limit: 1 << 24)
    var preparing = ""
    var commits: Set<UInt32> = []
    var cutsAtReply = false

    init(
        client: any Channel, server: any Channel, _ cuts: NIOLockedValueBox<[CommitRelay.Cut]>,
        _ silent: NIOLockedValueBox<[CommitRelay.Silence]>
    ) {
        self.client = client
        self.server = server
        self.cuts = cuts
        self.silent = silent
    }

    func close() {
        client.close(promise: nil)
        server.close(promise: nil)
    }

    func receiveRequests(_ bytes: ByteBuffer) {
        for message in (try? requests.read(bytes)) ?? [] {
            switch message.type {
            case Request.prepare(sql: "").type:
                preparing =
                    (try? message.read { reader in
                        _ = try reader.word(); return try reader.text()
                    }) ?? ""
            case Request.execute(statement: 0, values: []).type:
                let id = message.body.getInteger(at: message.body.readerIndex + 4, endianness: .little, as: UInt32.self)
                guard let id, commits.contains(id) else { continue }
                switch cuts.withLockedValue({ $0.isEmpty ? nil : $0.removeFirst() }) {
                case .before: return close()
                case .silence:
                    let silence = CommitRelay.Silence(node: server, commit: bytes)
                    return silent.withLockedValue { $0.append(silence) }
                case .after: cutsAtReply = true
                case nil: break
                }
            default: break
            }
        }
        server.writeAndFlush(bytes, promise: nil)
    }

    func receiveReplies(_ bytes: ByteBuffer) {
        if cutsAtReply { return close() }
        replies.append(bytes)
        while let message = try? replies.next() {
            if message.type == ReplyType.statement.rawValue, preparing == "COMMIT" {
                let id = message.body.getInteger(at: message.body.readerIndex + 4, endianness: .little, as: UInt32.self)
                if let id { commits.insert(id) }
            }
        }
        client.writeAndFlush(bytes, promise: nil)
    }
}

private final class FromClient: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let relay: Relay

    init(_ relay: Relay) {
        self.relay = relay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        relay.receiveRequests(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        relay.close()
    }
}

private final class FromNode: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let relay: Relay

    init(_ relay: Relay) {
        self.relay = relay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        relay.receiveReplies(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        relay.close()
    }
}
