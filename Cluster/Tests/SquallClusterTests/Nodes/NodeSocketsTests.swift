#if os(Linux)
    import Foundation
    import Testing

    @testable import SquallCluster

    @Suite struct NodeSocketsTests {
        /// A client of a listening socket, and the socket that was accepted for it.
        private struct Pair {
            let client: Int32
            let accepted: Int32

            var clientPort: UInt16 { port(of: client) }

            /// Whether the other end has ended the connection.
            var isEnded: Bool {
                var byte: UInt8 = 0
                return recv(client, &byte, 1, Int32(MSG_DONTWAIT)) == 0
            }

            func send(_ count: Int) {
                let bytes = [UInt8](repeating: 1, count: count)
                #expect(Glibc.send(client, bytes, count, 0) == count)
                var received = bytes
                // Only looks at the bytes, so that all of them are there.
                #expect(
                    recv(accepted, &received, count, Int32(MSG_PEEK | MSG_WAITALL)) == count)
            }

            /// Closes the accepted socket when the client's end is ended, as libdqlite does.
            func closeAtEnd() {
                Thread.detachNewThread {
                    var bytes = [UInt8](repeating: 0, count: 64)
                    while recv(accepted, &bytes, bytes.count, 0) > 0 {}
                    close(accepted)
                }
            }
        }

        private static func withAddress<Result>(
            port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        private func listen() -> Int32 {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #expect(Self.withAddress(port: 0) { bind(listener, $0, $1) } == 0)
            #expect(Glibc.listen(listener, 16) == 0)
            return listener
        }

        /// Begins to connect.
        private func connect(to port: UInt16) -> Int32 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = Self.withAddress(port: port) { Glibc.connect(client, $0, $1) }
            return client
        }

        /// Waits for the connection, at most for some milliseconds.
        private func isConnected(_ client: Int32, within time: Int32) -> Bool {
            var state = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
            return poll(&state, 1, time) == 1 && state.revents == Int16(POLLOUT)
        }

        private func pair(_ listener: Int32) -> Pair {
            let client = connect(to: port(of: listener))
            #expect(isConnected(client, within: 5_000))
            let accepted = accept(listener, nil, nil)
            let pair = Pair(client: client, accepted: accepted)
            // The client is blocking from now on.
            _ = fcntl(client, F_SETFL, 0)
            return pair
        }

        @Test func clientsAreEndedAndNodesAreKept() throws {
            let listener = listen()
            let (client, exempt, node) = (pair(listener), pair(listener), pair(listener))
            client.send(24)
            exempt.send(24)
            // A node has sent its identifier and address, and got nothing.
            node.send(25)
            client.closeAtEnd()
            let sockets = NodeSockets(port: port(of: listener))
            let refusal = sockets.shutOut(except: [exempt.clientPort])
            #expect(client.isEnded)
            #expect(!exempt.isEnded)
            #expect(!node.isEnded)
            // A request for a connection is dropped, and repeated until it is accepted.
            let late = connect(to: port(of: listener))
            #expect(!isConnected(late, within: 100))
            refusal.end()
            #expect(isConnected(late, within: 10_000))
            for socket in [listener, client.client, exempt.client, exempt.accepted, node.client, node.accepted, late] {
                close(socket)
            }
        }

        @Test func aConnectionThatWasAnsweredIsOfAClient() throws {
            let listener = listen()
            let client = pair(listener)
            client.send(1_000)
            #expect(Glibc.send(client.accepted, [1], 1, 0) == 1)
            var byte: UInt8 = 0
            #expect(recv(client.client, &byte, 1, 0) == 1)
            client.closeAtEnd()
            NodeSockets(port: port(of: listener)).shutOut().end()
            #expect(client.isEnded)
            close(listener)
            close(client.client)
        }

        /// A connection that was not accepted yet is ended as soon as it is.
        @Test func aWaitingConnectionIsEnded() throws {
            let listener = listen()
            let client = connect(to: port(of: listener))
            #expect(isConnected(client, within: 5_000))
            Thread.detachNewThread {
                let accepted = accept(listener, nil, nil)
                Pair(client: client, accepted: accepted).closeAtEnd()
            }
            NodeSockets(port: port(of: listener)).shutOut().end()
            #expect(Pair(client: client, accepted: -1).isEnded)
            close(listener)
            close(client)
        }

        @Test func socketsAreKeptFromOtherPrograms() throws {
            let listener = listen()
            #expect(fcntl(listener, F_GETFD) & FD_CLOEXEC == 0)
            NodeSockets(port: port(of: listener)).closeAtExec()
            #expect(fcntl(listener, F_GETFD) & FD_CLOEXEC != 0)
            close(listener)
        }
    }

    private func port(of socket: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        return address.sin_port.bigEndian
    }
#endif
