import ArgumentParser
import Logging
import SquallCluster

/// The node that a command is about.
struct NodeOptions: ParsableArguments {
    @Option(help: "The identifier of the node, above 0. The first node of a cluster has 1.")
    var id: UInt64

    @Option(help: "The address, host:port, at which clients and other nodes reach the node.")
    var address: String

    func validate() throws {
        if id == 0 { throw ValidationError("The identifier of a node is not 0.") }
        try Addresses.check(address)
    }

    var info: NodeInfo { NodeInfo(id: id, address: address) }
}

/// The role of a node.
enum RoleFlag: String, EnumerableFlag {
    case voter, standby, spare

    var role: NodeRole {
        switch self {
        case .voter: .voter
        case .standby: .standby
        case .spare: .spare
        }
    }

    static func help(for value: RoleFlag) -> ArgumentHelp? {
        switch value {
        case .voter: "The node stores the data and votes."
        case .standby: "The node stores the data, but does not vote."
        case .spare: "The node does not store the data."
        }
    }
}

/// The cluster that a command is about.
struct ClusterOptions: ParsableArguments {
    @Option(
        name: [.customLong("node"), .customShort("n")],
        help: "The address, host:port, of a node of the cluster. Repeat it for others.")
    var nodes: [String]

    @Option(help: "The seconds to wait for a leader.")
    var timeout = 10.0

    func validate() throws {
        if nodes.isEmpty { throw ValidationError("The address of a node is missing.") }
        for node in nodes { try Addresses.check(node) }
        guard timeout >= 0, timeout <= 86_400 else { throw ValidationError("The timeout is not from 0 to 86400.") }
    }

    func administration(maximumMessageSize: Int? = nil) throws -> ClusterAdministration {
        var settings = ConnectionSettings()
        if let maximumMessageSize { settings.maximumMessageSize = maximumMessageSize }
        return try ClusterAdministration(addresses: nodes, settings: settings, deadline: .seconds(timeout))
    }
}

enum Addresses {
    static func check(_ address: String) throws {
        if NodeAddress(address) == nil {
            throw ValidationError("\"\(address)\" is not an address of the form host:port.")
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
