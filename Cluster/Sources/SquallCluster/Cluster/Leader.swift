/// A leader that was found.
struct Leader: Hashable, Sendable {
    let address: String
    /// The position among the leaders that this client has found, from 1. A node that leads again has another number.
    let number: Int
}

/// A node that could not name the leader, and why.
public struct NodeProblem: Hashable, Sendable, CustomStringConvertible {
    public let address: String
    public let reason: String

    public init(address: String, reason: String) {
        self.address = address
        self.reason = reason
    }

    public var description: String { "\(address): \(reason)" }
}
