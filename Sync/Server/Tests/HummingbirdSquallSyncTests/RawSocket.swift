import Foundation
import SquallBase

#if canImport(Glibc)
    import Glibc
#endif

/// A connection over TCP on the loopback interface, for what an HTTP client does not do.
final class RawSocket: Sendable {
    struct Failed: Error { let code = errno }

    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port.
    convenience init(port: Int) throws {
        let descriptor = Self.make()
        try Self.withAddress(port) { address, size in
            if connect(descriptor, address, size) != 0 { throw Failed() }
        }
        self.init(descriptor)
    }

    deinit { close(descriptor) }

    #if canImport(Glibc)
        private static let withoutSignal = Int32(MSG_NOSIGNAL)

        static func make() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    #else
        private static let withoutSignal = Int32(0)

        static func make() -> Int32 {
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            var isSet: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isSet, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        }
    #endif

    static func withAddress<Result>(
        _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Makes the buffer for what arrives small, so that the other side notices soon that nothing is read.
    func readLittle() {
        var size: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns whether all bytes were taken.
    @discardableResult
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // Without a signal, if the other side has closed.
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.withoutSignal) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Returns what has arrived, waiting for something; an empty text at the end.
    func readBlocking() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Reads until a text has arrived, or the end.
    func readBlocking(until text: String) -> String {
        var all = ""
        while !all.contains(text) {
            let more = readBlocking()
            if more.isEmpty { break }
            all += more
        }
        return all
    }

    /// Reads until a text has arrived, or the end, on a thread that may be blocked.
    func read(until text: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.readBlocking(until: text)) }
        }
    }
}

/// A server that answers every request with the same bytes.
final class RawServer: Sendable {
    /// The end of an answer.
    enum End { case closes, staysOpen, repeats(String) }

    let port: Int
    private let listener: RawSocket
    private let received = Locked<[String]>([])

    var address: URL { .loopback(port) }
    /// The heads of the requests.
    var requests: [String] { received.withLock { $0 } }

    init(_ answer: String, _ end: End = .closes) throws {
        listener = RawSocket(RawSocket.make())
        let descriptor = listener.descriptor
        try RawSocket.withAddress(0) { address, size in
            if bind(descriptor, address, size) != 0 || listen(descriptor, 16) != 0 { throw RawSocket.Failed() }
        }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [listener, received] in
            while true {
                let connection = accept(listener.descriptor, nil, nil)
                if connection < 0 { return }
                Thread.detachNewThread {
                    let socket = RawSocket(connection)
                    let head = socket.readBlocking(until: "\r\n\r\n")
                    received.withLock { $0.append(head) }
                    guard socket.write(answer) else { return }
                    switch end {
                    case .closes: break
                    case .staysOpen: while !socket.readBlocking().isEmpty {}
                    case .repeats(let part): while socket.write(part) {}
                    }
                }
            }
        }
    }

    deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
}
