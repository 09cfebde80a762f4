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
    /// `@unchecked Sendable`: the pointer is used under the lock only, and libdqlite's calls for one node may come from any
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

        init(id: UInt64, address: String, directory: String) throws(ClusterNodeError) {
            try Self.check(directory)
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
            try check(.bind, node, dqlite_node_set_bind_address(node, settings.bindAddress ?? address))
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

        /// Stops the node. The second call does nothing.
        func stop() throws(ClusterNodeError) {
            lock.lock()
            defer { lock.unlock() }
            guard case .running(let node) = state else { return }
            try check(.stop, node, dqlite_node_stop(node))
            Self.destroy(node)
            state = .stopped
        }

        /// Checks what libdqlite would fail at: after that, SQLite's list of file systems has one that was freed.
        private static func check(_ directory: String) throws(ClusterNodeError) {
            var status = stat()
            guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                access(directory, R_OK | W_OK | X_OK) == 0
            else {
                let message = "\(directory) is not a directory that can be read and written"
                throw ClusterNodeError(operation: .create, code: 1, message: message)
            }
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
