// swift-format-ignore-file
import Foundation
import Squall
import SquallStore
import SquallTestSupport
import Testing

private struct Account: TableRecord {
    let id: Int64?
    let owner: String
    let balance: Int

    static let table = Table("accounts", Account.init) {
        Column("id", \Account.id, .primaryKey)
        Column("owner", \Account.owner)
        Column("balance", \Account.balance)
    }
}

/// The `swift` blocks of the page "Beyond one machine".
struct BeyondOneMachineSnippets {
    @Test func oneDataLayer() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("app.db")
        let schema = Schema("accounts") { Version(1) { CreateTable(Account.table.definition) } }
        struct Accounts<Store: SQLStore> {
            let store: Store

            func open(_ owner: String, request: String) async throws -> Int64 {
                try await store.write(idempotencyKey: request) { connection in
                    try await connection.insert(Account(id: nil, owner: owner, balance: 0))
                }
            }

            func move(_ sum: Int, from: Int64, to: Int64) async throws {
                try await store.write { connection in
                    try await connection.run(
                        "UPDATE accounts SET balance = balance - \(sum) WHERE id = \(from)")
                    try await connection.run(
                        "UPDATE accounts SET balance = balance + \(sum) WHERE id = \(to)")
                }
            }

            func richest(_ count: Int) async throws -> [Account] {
                try await store.read {
                    try await $0.all(Account.order { $0.balance.descending }.limit(count))
                }
            }
        }

        let accounts = Accounts(store: try Database(path))
        try await accounts.store.migrate(schema)
        let ada = try await accounts.open("Ada", request: "r1")

        let bo = try await accounts.open("Bo", request: "r2")
        #expect(try await accounts.open("Ada", request: "r1") == ada)
        try await accounts.move(5, from: bo, to: ada)
        #expect(try await accounts.richest(1).map(\.owner) == ["Ada"])
    }
}
