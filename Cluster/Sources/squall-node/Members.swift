import ArgumentParser
import SquallCluster

struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds a running node to a cluster, or gives a member another role.")

    @OptionGroup var node: NodeOptions

    @Flag(exclusivity: .exclusive, help: "The role of the node.")
    var role = RoleFlag.voter

    @OptionGroup var cluster: ClusterOptions

    func run() async throws {
        try await Failure.report { try await cluster.administration().join(node.info, role: role.role) }
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Removes a node from a cluster. A leader first hands the leadership over.")

    @Argument(help: "The identifier of the node.")
    var id: UInt64

    @OptionGroup var cluster: ClusterOptions

    func validate() throws {
        if id == 0 { throw ValidationError("The identifier of a node is not 0.") }
    }

    func run() async throws {
        try await Failure.report { try await cluster.administration().remove(id) }
    }
}
