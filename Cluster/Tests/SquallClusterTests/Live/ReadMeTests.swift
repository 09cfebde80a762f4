// swift-format-ignore-file
import Foundation
import Squall
import Testing

import SquallCluster

/// The `swift` block of the README of this package.
@Suite(.serialized) struct ReadMeTests {
    @Test func theClient() async throws {
        try await TestNodes.with(1) { nodes in
            let addresses = nodes.addresses
            let schema = Schema("bank") {
                Version(1) { CreateTable(Account.table.definition) }
                Version(2) { Execute("INSERT INTO accounts VALUES(1, 'ada', 9, NULL), (2, 'bo', 1, NULL)") }
            }
            let (request, sum, from, to, limit) = ("request 1", 2, 1, 2, 5)
            let cluster = try await Cluster(nodes: addresses, database: "app")
            try await cluster.migrate(schema)

            try await cluster.write(idempotencyKey: request) {
                try await $0.run("UPDATE accounts SET balance = balance - \(sum) WHERE id = \(from)")
                try await $0.run("UPDATE accounts SET balance = balance + \(sum) WHERE id = \(to)")
            }

            let rich: [Account] = try await cluster.read {
                try await $0.query("SELECT * FROM accounts WHERE balance > \(limit)")
            }
            let total: Int = try await cluster.read(.linearizable) {
                try await $0.query("SELECT sum(balance) FROM accounts")
            }
            #expect(rich.map(\.balance) == [7])
            #expect(total == 10)
            await cluster.close()
        }
    }

    @Test func itsBlockIsCompiled() throws {
        let package = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let lines = { (text: String) in
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let readMe = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let blocks = readMe.components(separatedBy: "```swift\n").dropFirst().map {
            lines($0.components(separatedBy: "```")[0])
        }
        let compiled = try lines(String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
        #expect(blocks.count == 1)
        for block in blocks { #expect(compiled.contains(block)) }
    }
}
