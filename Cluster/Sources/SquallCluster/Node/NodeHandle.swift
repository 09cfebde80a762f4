#if os(Linux)
    import CDqlite
    import NIOConcurrencyHelpers

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// A node of libdqlite.
    ///
    /// Sendable, because the pointer is used under the lock only, and libdqlite's calls for one node may come from any
    /// thread as long as they do not overlap.
    final class NodeHandle: @unchecked Sendable {
        private enum State {
            case created(OpaquePointer)
            case running(OpaquePointer)
            case stopped
        }

        /// Held while a node is created or destroyed: libdqlite then changes state that all nodes of a process share.
        private static let processLock = NIOLock()

        private let lock = NIOLock()
        private var state: State
        private var directoryLock: DirectoryLock?

        init(id: UInt64, address: String, directory: String) throws(ClusterNodeError) {
            directoryLock = try DirectoryLock(directory)
            var node: OpaquePointer?
            let code = Self.processLock.withLock { dqlite_node_create(id, address, directory, &node) }
            // After an error libdqlite has freed the node, but has not cleared the pointer.
            guard code == 0, let node else {
                throw ClusterNodeError(operation: .create, code: code, message: "error of libdqlite")
            }
            state = .created(node)
        }

        deinit {
            switch state {
            case .created(let node):
                Self.destroy(node)
            case .running(let node):
                let refusal = Self.sockets(of: node)?.shutOut()
                defer { refusal?.end() }
                dqlite_node_stop(node)
                Self.destroy(node)
            case .stopped:
                break
            }
        }

        func configure(_ settings: NodeSettings, address: String) throws(ClusterNodeError) {
            lock.lock()
            defer { lock.unlock() }
            guard case .created(let node) = state else { return }
            let bindAddress = settings.bindAddress ?? address
            // libdqlite has no message for this.
            guard dqlite_node_set_bind_address(node, bindAddress) == 0 else {
                let message = "\(bindAddress) is in use, or is not an address of this machine"
                throw ClusterNodeError(operation: .bind, code: 1, message: message)
            }
            Self.sockets(of: node)?.closeAtExec()
            try check(.configure, node, dqlite_node_set_connect_func(node, NodeDialer.dial, nil))
            if let latency = settings.networkLatency {
                try check(.configure, node, dqlite_node_set_network_latency_ms(node, latency))
            }
            if let snapshots = settings.snapshots {
                let code = dqlite_node_set_snapshot_params(node, snapshots.threshold, snapshots.trailing)
                try check(.configure, node, code)
            }
            if let domain = settings.failureDomain {
                try check(.configure, node, dqlite_node_set_failure_domain(node, domain))
            }
        }

        func start() throws(ClusterNodeError) {
            lock.lock()
            defer { lock.unlock() }
            guard case .created(let node) = state else { return }
            try check(.start, node, dqlite_node_start(node))
            state = .running(node)
        }

        /// The connections of clients, while the node is running and listens on a port.
        var sockets: NodeSockets? {
            lock.lock()
            defer { lock.unlock() }
            guard case .running(let node) = state else { return nil }
            return Self.sockets(of: node)
        }

        private static func sockets(of node: OpaquePointer) -> NodeSockets? {
            guard let address = dqlite_node_get_bind_address(node).flatMap({ NodeAddress(String(cString: $0)) }) else {
                return nil
            }
            return NodeSockets(port: UInt16(address.port))
        }

        /// Writes into the directory that these are all members of the cluster.
        func recover(_ members: [ClusterMember]) throws(ClusterNodeError) {
            lock.lock()
            defer { lock.unlock() }
            guard case .created(let node) = state else { return }
            let addresses = members.map { strdup($0.address) }
            defer { for address in addresses { free(address) } }
            var infos = zip(members, addresses).map { member, address in
                dqlite_node_info_ext(
                    size: UInt64(MemoryLayout<dqlite_node_info_ext>.size), id: member.id,
                    address: UInt64(UInt(bitPattern: address)), dqlite_role: member.role.rawValue)
            }
            try check(.recover, node, dqlite_node_recover_ext(node, &infos, Int32(infos.count)))
        }

        /// Stops the node. The second call does nothing.
        func stop() throws(ClusterNodeError) {
            lock.lock()
            defer { lock.unlock() }
            guard case .running(let node) = state else { return }
            let refusal = Self.sockets(of: node)?.shutOut()
            defer { refusal?.end() }
            try check(.stop, node, dqlite_node_stop(node))
            Self.destroy(node)
            state = .stopped
            directoryLock = nil
        }

        private static func destroy(_ node: OpaquePointer) {
            processLock.withLock { dqlite_node_destroy(node) }
        }

        private func check(
            _ operation: ClusterNodeError.Operation, _ node: OpaquePointer, _ code: Int32
        ) throws(ClusterNodeError) {
            if code != 0 { throw ClusterNodeError(operation, code, on: node) }
        }
    }

    extension ClusterNodeError {
        fileprivate init(_ operation: Operation, _ code: Int32, on node: OpaquePointer?) {
            let message = node.flatMap { dqlite_node_errmsg($0) }.map { String(cString: $0) } ?? ""
            self.init(operation: operation, code: code, message: message.isEmpty ? "error of libdqlite" : message)
        }
    }
#endif
