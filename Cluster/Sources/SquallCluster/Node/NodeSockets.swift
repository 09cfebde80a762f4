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
    /// the connections of its clients before it stops or gives the leadership away, as if the clients had done it. Until then
    /// it accepts no others: clients connect again at once, and would read rows again.
    struct NodeSockets: Sendable {
        /// The port that the node listens on.
        let port: UInt16

        /// Ends the connections of clients, and drops requests for new ones until ``Refusal/end()``. Clients repeat theirs after
        /// a second.
        ///
        /// It blocks until libdqlite has closed the connections, for at most a second.
        ///
        /// - Parameter exempt: The ports of clients whose connections are kept.
        func shutOut(except exempt: Set<UInt16> = []) -> Refusal {
            var refusing: [Int32] = []
            for socket in duplicates() {
                if Self.isListening(socket) { refusing.append(socket) } else { close(socket) }
            }
            let refusal = Refusal(refusing)
            for _ in 0..<1_000 where endConnections(except: exempt) > 0 { usleep(1_000) }
            return refusal
        }

        /// Ends the connections of clients and returns the number of those that libdqlite has not closed yet, or not accepted.
        private func endConnections(except exempt: Set<UInt16>) -> Int {
            var count = 0
            for socket in duplicates() {
                defer { close(socket) }
                if let peer = Self.port(of: socket, getpeername) {
                    guard !exempt.contains(peer), TCPState(of: socket)?.isOfClient ?? true else { continue }
                    shutdown(socket, Int32(SHUT_RDWR))
                    count += 1
                } else if Self.isListening(socket) {
                    count += TCPState(of: socket)?.waiting ?? 0
                }
            }
            return count
        }

        /// Returns duplicates of the sockets, which the caller closes. libdqlite may close its own meanwhile, and another socket
        /// may get the number.
        private func duplicates() -> [Int32] {
            Self.descriptors().compactMap { descriptor in
                let socket = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                guard socket >= 0 else { return nil }
                if Self.port(of: socket, getsockname) == port { return socket }
                close(socket)
                return nil
            }
        }

        /// Sockets that accept no connections.
        struct Refusal: Sendable {
            // Of <asm/socket.h>, which the module of the C library lacks.
            private static let attachFilter: Int32 = 26
            private static let detachFilter: Int32 = 27

            private let sockets: [Int32]

            fileprivate init(_ sockets: [Int32]) {
                self.sockets = sockets
                // A program of the kernel's packet filter with one instruction: keep 0 bytes of each packet.
                var instruction: (code: UInt16, UInt8, UInt8, bytes: UInt32) = (6, 0, 0, 0)
                withUnsafeMutablePointer(to: &instruction) { pointer in
                    var program = (count: UInt16(1), instructions: UnsafeMutableRawPointer(pointer))
                    let size = socklen_t(MemoryLayout.size(ofValue: program))
                    for socket in sockets { setsockopt(socket, SOL_SOCKET, Self.attachFilter, &program, size) }
                }
            }

            /// Accepts connections again. Called once.
            func end() {
                for socket in sockets {
                    var unused: Int32 = 0
                    setsockopt(
                        socket, SOL_SOCKET, Self.detachFilter, &unused, socklen_t(MemoryLayout.size(ofValue: unused)))
                    close(socket)
                }
            }
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

        private static func isListening(_ socket: Int32) -> Bool {
            var isListening: Int32 = 0
            var size = socklen_t(MemoryLayout.size(ofValue: isListening))
            return getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 && isListening != 0
        }
    }

    /// The state of a socket: the kernel's `tcp_info`, whose declaration in the C library lacks most fields.
    private struct TCPState {
        private var bytes = [UInt8](repeating: 0, count: 256)

        init?(of socket: Int32) {
            var size = socklen_t(bytes.count)
            guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &bytes, &size) == 0, size >= 136 else { return nil }
        }

        /// Whether the other end is a client, or has not shown what it is.
        ///
        /// Another node receives nothing on the connections that it makes, and first sends its identifier and address:
        /// more than the version of the protocol and the short first request of a client.
        var isOfClient: Bool { acknowledgedBytes > 0 || receivedBytes <= 24 }

        /// The number of connections that a listening socket has for its program to accept.
        var waiting: Int { Int(word(at: 24, as: UInt32.self)) }

        private var acknowledgedBytes: UInt64 { word(at: 120, as: UInt64.self) }
        private var receivedBytes: UInt64 { word(at: 128, as: UInt64.self) }

        private func word<Word: FixedWidthInteger>(at offset: Int, as type: Word.Type) -> Word {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
    }
#endif
