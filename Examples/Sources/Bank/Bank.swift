import Squall
import SquallStore

struct Account: TableRecord {
    let id: Int64
    let owner: String
    let balance: Int

    static let table = Table("accounts", Account.init) {
        Column("id", \Account.id, .primaryKey)
        Column("owner", \Account.owner)
        Column("balance", \Account.balance, .check("balance >= 0"))
    }
    /// Accounts that were closed, in another table of the same records.
    static let closed = Table("closed_accounts", Account.init) {
        Column("id", \Account.id, .primaryKey)
        Column("owner", \Account.owner)
        Column("balance", \Account.balance)
    }
}

/// The accounts of a bank in any store: a file of this machine, or a cluster.
struct Bank<Store: SQLStore> {
    let store: Store

    static var schema: Schema {
        Schema("ledger") {
            Version(1) { CreateTable(Account.table.definition) }
            Version(2) { CreateTable(Account.closed.definition) }
            // SQLite cannot change the type of a column: the table is rebuilt, without foreign keys.
            Version(3) { AlterTable("accounts") { ChangeColumn("owner", to: String.self, .collate("NOCASE")) } }
        }
    }

    /// Moves money, once for each request, however often it is repeated.
    func move(_ sum: Int, from: Int64, to: Int64, request: String) async throws -> String {
        try await store.write { connection in
            try await connection.once(request, lifetime: .seconds(86_400)) { connection in
                let taken = try await add(-sum, to: from, on: connection)
                let given = try await add(sum, to: to, on: connection)
                return "\(taken.changes + given.changes) accounts changed"
            }
        }
    }

    private func add(_ sum: Int, to account: Int64, on connection: StoreConnection) async throws -> RunResult {
        try await connection.run("UPDATE accounts SET balance = balance + \(sum) WHERE id = \(account)")
    }

    /// Moves an account to the table of closed ones.
    func close(_ id: Int64) async throws {
        try await store.write { connection in
            guard let account = try await connection.find(Account.self, id) else { return }
            try await closed(connection).insert(account)
            try await connection.delete(account)
        }
    }

    func closedOwners() async throws -> [String] {
        try await store.read { try await closed($0).all().map(\.owner) }
    }

    private func closed(_ connection: StoreConnection) -> StoreConnection.TableAccess<Account, Int64> {
        connection.table(Account.closed)
    }

    /// Prints all accounts, of which there may be more than fit into memory.
    func printStatement() async throws {
        try await store.read { connection in
            try await connection.forEach("SELECT owner, balance FROM accounts ORDER BY id") { row in
                print("  \(try row.get("owner", as: String.self)): \(try row.get("balance", as: Int.self))")
            }
        }
    }

    func balances() async throws -> [String] {
        try await store.read {
            try await $0.query("SELECT owner || ' ' || balance FROM accounts ORDER BY id")
        }
    }
}
