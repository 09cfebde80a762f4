/// The host and port of a node, as in `10.0.0.1:9001` and `[::1]:9001`.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: Int

    /// Parses an address; `nil` without a host or a port from 1 to 65,535.
    public init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = text[text.utf8.index(after: colon)...]
        guard let port = UInt16(digits), port > 0, digits.utf8.first != UInt8(ascii: "+") else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.utf8.contains(0) else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    public var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
