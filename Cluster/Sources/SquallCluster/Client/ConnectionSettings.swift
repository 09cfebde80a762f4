import NIOCore
import NIOPosix
import NIOSSL

/// The settings of a connection to a node.
public struct ConnectionSettings: Sendable {
    /// The duration after which connecting fails, including the TLS and dqlite handshakes.
    public var connectDeadline: Duration = .seconds(5)
    /// The duration after which a request without a deadline of its own fails.
    public var requestDeadline: Duration = .seconds(30)
    /// The number of prepared statements that a connection keeps.
    public var statementCacheCapacity = 64
    /// The largest size in bytes of a request and of a reply.
    public var maximumMessageSize = 64 << 20
    /// The number of bytes of abandoned rows that are read to keep a connection. Beyond it, the connection is closed.
    public var drainLimit = 16 << 20
    /// The TLS configuration; `nil` for none. Nodes do not speak TLS themselves, a proxy beside them does.
    public var tls: TLSConfiguration?
    /// The event loops that connections run on.
    public var eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

    public init() {}
}
