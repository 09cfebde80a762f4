#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// Connects a node to others, for libdqlite.
    ///
    /// libdqlite's own function leaves Nagle's algorithm on, and Linux delays acknowledgements by 40 ms: a fifth of the
    /// writes took 48 ms on loopback. Without it a write takes 0.25× on average (2026-11-25).
    enum NodeDialer {
        /// The time to wait for a node that does not answer.
        private static let seconds = 5

        /// Connects to an address of the form `host:port`. Called by libdqlite on threads of its own, which may block.
        static let dial:
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?
            ) -> Int32 = { _, address, descriptor in
                guard let address, let descriptor, let parsed = NodeAddress(String(cString: address)),
                    let socket = open(parsed)
                else { return 1 }
                descriptor.pointee = socket
                return 0
            }

        /// Returns a connected socket, or `nil` if none of the host's addresses answers.
        private static func open(_ address: NodeAddress) -> Int32? {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var first: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(address.host, "\(address.port)", &hints, &first) == 0 else { return nil }
            defer { freeaddrinfo(first) }
            var next = first
            while let info = next?.pointee {
                if let socket = open(info) { return socket }
                next = info.ai_next
            }
            return nil
        }

        private static func open(_ info: addrinfo) -> Int32? {
            let type = info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(info.ai_family, type, info.ai_protocol)
            guard descriptor >= 0 else { return nil }
            setTimeout(seconds, of: descriptor)
            guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
                close(descriptor)
                return nil
            }
            setTimeout(0, of: descriptor)
            var isOn: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout.size(ofValue: isOn)))
            return descriptor
        }

        /// Sets the time that connecting and sending may take; 0 for any.
        private static func setTimeout(_ seconds: Int, of descriptor: Int32) {
            var time = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
        }
    }
#endif
