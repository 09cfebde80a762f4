/// An error of ``ClusterAdministration``.
public enum ClusterAdministrationError: Error, Hashable, Sendable {
    /// No address was given.
    case noAddress
    /// No node told of a leader before the deadline. The reasons are by address.
    case noLeader(reasons: [String: String])
    /// The cluster has no node with the identifier.
    case unknownNode(id: UInt64)
    /// A node at another address has the identifier.
    case identifierTaken(id: UInt64, address: String)
    /// The node at the address has another identifier.
    case addressTaken(address: String, id: UInt64)
    /// The cluster has no other voter that can be reached, which the change requires.
    case noOtherVoter(id: UInt64)
}

extension ClusterAdministrationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAddress: "no address of a node was given"
        case .noLeader(let reasons):
            "the cluster has no leader: "
                + reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
        case .unknownNode(let id): "the cluster has no node \(id)"
        case .identifierTaken(let id, let address): "node \(id) is another one, at \(address)"
        case .addressTaken(let address, let id): "the node at \(address) is node \(id)"
        case .noOtherVoter(let id): "node \(id) is the only voter that can be reached"
        }
    }
}
