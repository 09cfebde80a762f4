import Foundation
import Glibc
import Squall
import Testing

@testable import SquallCluster

/// The verbs of `squall-node`.
@Suite(.serialized) struct ToolTests {
    @Test func statusShowsMembersAsTableAndJSON() async throws {
        try await TestNodes.with(2) { cluster in
            let leader = try await cluster.leader()
            let table = try await cluster.tool("status", "--node", cluster.nodes[1].address)
            #expect(table.end == .status(0))
            let lines = table.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(
                lines == [["id", "address", "role", "leader", "reachable"]]
                    + cluster.nodes.enumerated().map { index, node in
                        ["\(node.id)", node.address, "voter", index == leader ? "yes" : "no", "yes"]
                    })
            let json = try await cluster.tool("status", "--json", "--node", cluster.nodes[0].address)
            let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
            #expect(report.leader == cluster.nodes[leader].id)
            #expect(report.members.map(\.id) == [1, 2])
        }
    }

    private struct Report: Decodable {
        struct Member: Decodable { let id: UInt64 }

        let leader: UInt64?
        let members: [Member]
    }

    @Test func nodesJoinWithARoleAndAreRemoved() async throws {
        try await TestNodes.with { cluster in
            try await cluster.add(["--standby", "--failure-domain", "7"])
            try await cluster.eventually { try await $0.status().members.map(\.member.role) == [.voter, .standby] }
            let status = try await cluster.administration().status()
            #expect(status.members.map(\.metadata?.failureDomain) == [0, 7])

            let first = cluster.nodes[0].address
            let second = cluster.nodes[1].address
            let promoted = try await cluster.tool(
                "join", "--id", "2", "--address", second, "--voter", "--node", first)
            #expect(promoted.end == .status(0))
            #expect(try await cluster.administration().status().members.map(\.member.role) == [.voter, .voter])

            let other = try await cluster.tool("join", "--id", "2", "--address", "127.0.0.1:1", "--node", first)
            #expect(other.end == .status(73))
            #expect(other.errors == "error: node 2 is another one, at \(second)\n")

            // The leader is removed: it hands over first.
            let leader = try await cluster.leader()
            let removed = try await cluster.tool("remove", "\(cluster.nodes[leader].id)", "--node", first, "-n", second)
            #expect(removed.end == .status(0))
            #expect(try await cluster.leader() == 1 - leader)
            let rest = cluster.nodes[1 - leader]
            let unknown = try await cluster.tool("remove", "9", "--node", rest.address)
            #expect(unknown.end == .status(64))
            #expect(unknown.errors == "error: the cluster has no node 9\n")
            let last = try await cluster.tool("remove", "\(rest.id)", "--node", rest.address)
            #expect(last.end == .status(69))
        }
    }

    @Test func aNodeThatServesEndsAtSIGINTAndSIGTERM() async throws {
        try await TestNodes.with(3) { cluster in
            let leader = try await cluster.leader()
            let process = try cluster.process(leader)
            process.send(SIGINT)
            #expect(try await process.wait() == .status(0))
            let printed = try process.printedErrors()
            #expect(printed.contains("leadership handed over"), "\(printed)")
            #expect(printed.contains("node stopped"), "\(printed)")
            let next = try await cluster.leader()
            #expect(next != leader)
            #expect(try await cluster.terminate(next) == .status(0))
        }
    }

    @Test func aMissingDirectoryIsCreatedForItsUserOnly() async throws {
        try await TestNodes.with { cluster in
            let path = cluster.directory.appendingPathComponent("new").path
            // The address is that of another node, so that this one ends at once.
            let process = try await cluster.start(
                ["serve", "--id", "1", "--address", cluster.nodes[0].address, "--directory", path])
            #expect(try await process.wait() == .status(69))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.type] as? FileAttributeType == .typeDirectory)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func wrongArgumentsAreExplained() async throws {
        try await TestNodes.with { cluster in
            let path = cluster.directory.path
            let address = cluster.nodes[0].address
            let cases: [([String], Int32, String)] = [
                (["serve", "--id", "0", "--address", "a:1", "--directory", path], 64, "is not 0"),
                (["serve", "--id", "2", "--address", "nowhere", "--directory", path], 64, "host:port"),
                (["serve", "--id", "2", "--address", "a:1", "--directory", path, "--join", "b"], 64, "host:port"),
                (["serve", "--id", "1", "--address", "a:1", "--directory", path, "--join", "b:1"], 64, "first"),
                (
                    ["serve", "--id", "1", "--address", "127.0.0.1:9", "--directory", path + "/none/1"], 1,
                    "cannot create the directory \(path)/none/1: No such file"
                ),
                (["serve", "--id", "1", "--address", address, "--directory", path], 69, "in use"),
                (["serve", "--id", "1", "--address", address, "--directory", path + "/1"], 1, "another node"),
                (["status"], 64, "--node"),
                (["status", "--node", "127.0.0.1:1", "--timeout", "0"], 69, "no leader"),
                (["remove", "0", "--node", address], 64, "is not 0"),
            ]
            for (arguments, status, message) in cases {
                let process = try await cluster.start(arguments)
                #expect(try await process.wait() == .status(status), "\(arguments)")
                #expect(try process.printedErrors().contains(message), "\(arguments)")
            }
        }
    }

    @Test func aClusterWithoutALeaderIsReported() async throws {
        try await TestNodes.with(2) { cluster in
            let leader = try await cluster.leader()
            try await cluster.kill(leader)
            let address = cluster.nodes[1 - leader].address
            try await cluster.eventually { _ in
                let connection = try await NodeConnection.connect(to: address)
                return try await connection.leader() == nil
            }
            let status = try await cluster.tool("status", "--node", address, "--timeout", "0.1")
            #expect(status.end == .status(69))
            #expect(status.output.contains("no"))
        }
    }

    @Test func aDatabaseIsBackedUpAndRestored() async throws {
        try await TestNodes.with { cluster in
            let address = cluster.nodes[0].address
            let connection = try await cluster.connect()
            try await connection.executeScript("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
            let path = cluster.directory.appendingPathComponent("copy.db").path
            let backup = try await cluster.tool("backup", "--database", "app", "--node", address, path)
            #expect(backup.end == .status(0))
            #expect(backup.output == "t: 2\n2 rows in 1 tables\n")
            #expect(try Connection(path, mode: .readOnly).query("SELECT a FROM t") == [1, 2])

            let again = try await cluster.tool("backup", "-d", "app", "-n", address, path)
            #expect(again.end == .status(73))
            #expect(again.errors == "error: \(path) exists\n")
            let none = try await cluster.tool("backup", "-d", "none", "-n", address, path + "2")
            #expect(none.errors == "error: the cluster has no database \"none\"\n")

            let restored = try await cluster.tool("restore", "-d", "second", "-n", address, path)
            #expect(restored.end == .status(0))
            #expect(restored.output == backup.output)
            let refused = try await cluster.tool("restore", "-d", "app", "-n", address, path)
            #expect(refused.end == .status(73))
            #expect(refused.errors == "error: the database is not empty: it has t\n")
            let replaced = try await cluster.tool("restore", "-d", "app", "-n", address, "--replace", path)
            #expect(replaced.end == .status(0))
        }
    }
}
