#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The sockets that a node in this process has bound to its port, and accepted there.
    ///
    /// libdqlite 1.11 reads freed memory if it closes a database while it sends the rows of a query, in parts, to a client: when
    /// the node is stopped and when it loses the leadership. A client that ends its connection does no harm. So a node ends
    /// the connections of its clients before it stops or gives the leadership away, as if the clients had done it.
    struct NodeSockets: Sendable {
        /// The port that the node listens on.
        let port: UInt16

        /// Ends the connections of clients and returns their number. libdqlite closes them when it notices.
        ///
        /// - Parameter exempt: The ports of clients whose connections are kept.
        @discardableResult
        func end(except exempt: Set<UInt16> = []) -> Int {
            var count = 0
            for descriptor in Self.descriptors() where endIfClient(descriptor, exempt) { count += 1 }
            return count
        }

        /// Ends the connections until none is left, for at most a second.
        func endAll() {
            for _ in 0..<1_000 where end() > 0 { usleep(1_000) }
        }

        /// Keeps the sockets from programs that this process starts.
        ///
        /// libdqlite lets them inherit the port. The program that prints the backtrace of a Swift process, for instance,
        /// kept it for seconds, and the node could not start again.
        func closeAtExec() {
            for descriptor in Self.descriptors() where Self.port(of: descriptor, getsockname) == port {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
        }

        private func endIfClient(_ descriptor: Int32, _ exempt: Set<UInt16>) -> Bool {
            // A duplicate: libdqlite may close the descriptor meanwhile, and another socket may get its number.
            let socket = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard socket >= 0 else { return false }
            defer { close(socket) }
            guard Self.port(of: socket, getsockname) == port, let peer = Self.port(of: socket, getpeername),
                !exempt.contains(peer), Self.hasSent(socket)
            else { return false }
            shutdown(socket, Int32(SHUT_RDWR))
            return true
        }

        /// Returns the numbers of the open files of this process.
        private static func descriptors() -> [Int32] {
            guard let directory = opendir("/proc/self/fd") else { return [] }
            defer { closedir(directory) }
            var numbers: [Int32] = []
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let number = Int32(name), number != dirfd(directory) { numbers.append(number) }
            }
            return numbers
        }

        /// Returns the port of an address of the socket; `nil` if it is not a TCP socket, or has no such address.
        private static func port(
            of socket: Int32,
            _ address: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
        ) -> UInt16? {
            var storage = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let code = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address(socket, $0, &size) }
            }
            guard code == 0, [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return nil }
            // The port has the same place in addresses of both families.
            return withUnsafeBytes(of: &storage) { $0.load(fromByteOffset: 2, as: UInt16.self).bigEndian }
        }

        /// Whether bytes were sent to the other end. Other nodes send, but receive nothing on the connections they make.
        private static func hasSent(_ socket: Int32) -> Bool {
            // `tcpi_bytes_acked` of the kernel's `tcp_info`, which the C library's declaration lacks.
            let offset = 120
            var info = [UInt8](repeating: 0, count: 256)
            var size = socklen_t(info.count)
            guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0, size >= offset + 8 else {
                return true
            }
            return info[offset..<offset + 8].contains { $0 != 0 }
        }
    }
#endif
