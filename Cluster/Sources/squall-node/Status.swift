import ArgumentParser
import Foundation
import SquallCluster

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the members of a cluster. Without a leader the status is 69.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var cluster: ClusterOptions

    func run() async throws {
        try await Failure.report {
            let status = try await cluster.administration().status()
            print(json ? try Self.json(of: status) : Self.table(of: status))
            if status.leader == nil { throw ClusterAdministrationError.noLeader(reasons: [:]) }
        }
    }

    private static func json(of status: ClusterStatus) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(StatusReport(status)), as: UTF8.self)
    }

    private static func table(of status: ClusterStatus) -> String {
        let header = ["id", "address", "role", "leader", "reachable"]
        let lines =
            [header]
            + status.members.map { member in
                [
                    "\(member.member.id)", member.member.address, "\(member.member.role)",
                    member.isLeader ? "yes" : "no",
                    member.isReachable ? "yes" : "no",
                ]
            }
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
                .trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }
}

/// The JSON of a status.
private struct StatusReport: Encodable {
    struct Member: Encodable {
        let id: UInt64
        let address: String
        let role: String
        let isLeader: Bool
        let isReachable: Bool
        let failureDomain: UInt64?
        let weight: UInt64?
    }

    let leader: UInt64?
    let members: [Member]

    init(_ status: ClusterStatus) {
        leader = status.leader?.id
        members = status.members.map { member in
            Member(
                id: member.member.id, address: member.member.address, role: "\(member.member.role)",
                isLeader: member.isLeader, isReachable: member.isReachable,
                failureDomain: member.metadata?.failureDomain, weight: member.metadata?.weight)
        }
    }
}
