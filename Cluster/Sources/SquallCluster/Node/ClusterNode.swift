#if os(Linux)
    import CDqlite
    import Logging
    import NIOPosix

    /// A node of a cluster in this process, on libdqlite.
    ///
    ///     let node = try await ClusterNode(id: 2, address: "10.0.0.2:9001", directory: "/var/lib/app")
    ///     try await node.join(["10.0.0.1:9001"])
    ///
    /// The first node of a cluster has the identifier 1: started in an empty directory, it is a cluster of one. Others
    /// start alone and ``join(_:role:deadline:)``. A node that starts again uses its directory, identifier and address,
    /// and is still a member.
    ///
    /// The directory holds
    ///
    /// - `metadata1` and `metadata2`: the term, and the vote of the node in it;
    /// - `open-1` and so on: the end of the log, to which commits are appended;
    /// - `0000000000000001-0000000000000128` and so on: earlier parts of the log, by their first and last entry;
    /// - `snapshot-` and `.meta`: the databases and the members at an entry of the log.
    ///
    /// The databases themselves are in memory. A copy of the directory is a backup only while the node is stopped;
    /// ``NodeConnection/exportDatabase(_:to:replacing:)`` makes one while it runs.
    ///
    /// libdqlite ends the process when one of its assertions fails, for instance when a node loses the leadership while it
    /// sends the rows of a long query. A node in a separate process does not take the application with it; a supervisor,
    /// such as systemd with `Restart=always`, starts it again. Nothing that was acknowledged is lost by that.
    public final class ClusterNode: Sendable {
        public let id: UInt64
        /// The address at which clients and other nodes reach the node.
        public let address: String
        public let directory: String

        let handle: NodeHandle
        let logger: Logger

        /// Starts a node. The directory must exist. The process ignores SIGPIPE from then on.
        public init(
            id: UInt64, address: String, directory: String, settings: NodeSettings = NodeSettings(),
            logger: Logger = Logger(label: "squall.node")
        ) async throws {
            try Self.check(id, address)
            BrokenPipeSignal.ignore()
            self.id = id
            self.address = address
            self.directory = directory
            var logger = logger
            logger[metadataKey: "id"] = "\(id)"
            self.logger = logger
            handle = try await NIOThreadPool.singleton.runIfActive {
                let handle = try NodeHandle(id: id, address: address, directory: directory)
                try handle.configure(settings, address: address)
                try handle.start()
                return handle
            }
            logger.info("node started", metadata: ["address": "\(address)", "directory": "\(directory)"])
        }

        static func check(_ id: UInt64, _ address: String) throws {
            guard id > 0 else {
                throw ClusterNodeError(operation: .create, code: 2, message: "the identifier of a node is not 0")
            }
            guard NodeAddress(address) != nil else { throw ClusterError.invalidAddress(address) }
        }

        /// Ends the connections of clients and stops the node. The second call does nothing.
        public func stop() async throws {
            try await NIOThreadPool.singleton.runIfActive { [handle] in try handle.stop() }
            logger.info("node stopped")
        }

        /// The version of libdqlite, for instance 11,101 for 1.11.1.
        public static var libraryVersion: Int { Int(dqlite_version_number()) }
    }
#endif
