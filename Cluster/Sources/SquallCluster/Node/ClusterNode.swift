#if os(Linux)
    import CDqlite
    import Logging
    import NIOPosix

    /// A node of a cluster in this process, on libdqlite.
    ///
    ///     let node = try await ClusterNode(id: 1, address: "10.0.0.1:9001", directory: "/var/lib/app")
    ///
    /// The first node of a cluster has the identifier 1. Others start alone and are added by
    /// ``NodeConnection/add(_:deadline:)``. A node that starts again uses its directory, identifier and address.
    ///
    /// libdqlite ends the process when one of its assertions fails. A node in a process of its own does not take the
    /// application with it.
    public final class ClusterNode: Sendable {
        public let id: UInt64
        /// The address at which clients and other nodes reach the node.
        public let address: String
        public let directory: String

        private let handle: NodeHandle
        private let logger: Logger

        /// Starts a node. The directory must exist. The process ignores SIGPIPE from then on.
        public init(
            id: UInt64, address: String, directory: String, settings: NodeSettings = NodeSettings(),
            logger: Logger = Logger(label: "squall.node")
        ) async throws {
            guard NodeAddress(address) != nil else { throw ClusterError.invalidAddress(address) }
            BrokenPipeSignal.ignore()
            self.id = id
            self.address = address
            self.directory = directory
            self.logger = logger
            handle = try await NIOThreadPool.singleton.runIfActive {
                let handle = try NodeHandle(id: id, address: address, directory: directory)
                try handle.configure(settings, address: address)
                try handle.start()
                return handle
            }
            logger.info("node started", metadata: ["id": "\(id)", "address": "\(address)"])
        }

        /// Stops the node, after the requests under way.
        public func stop() async throws {
            try await NIOThreadPool.singleton.runIfActive { [handle] in try handle.stop() }
            logger.info("node stopped", metadata: ["id": "\(id)", "address": "\(address)"])
        }

        /// The version of libdqlite, for instance 11,101 for 1.11.1.
        public static var libraryVersion: Int { Int(dqlite_version_number()) }
    }
#endif
