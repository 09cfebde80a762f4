import SquallStore
import Foundation
import Squall
import Testing

@testable import SquallCluster

struct Account: TableRecord, Codable, Equatable {
    let id: Int64?
    let owner: String
    let balance: Int
    let note: Data?

    static let table = Table("accounts", Account.init) {
        Column("id", \Account.id, .primaryKey)
        Column("owner", \Account.owner, .unique)
        Column("balance", \Account.balance, .check("balance >= \(0)"))
        Column("note", \Account.note)
    }
}

/// A data layer that is written once, for any store.
private struct Bank<Store: SQLStore> {
    let store: Store

    static var schema: Schema {
        Schema("bank") {
            Version(1) {
                CreateTable(Account.table.definition)
            }
            Version(2) {
                Execute(
                    "INSERT INTO accounts(owner, balance) VALUES('house', 1000); CREATE INDEX balances ON accounts(balance)"
                )
            }
        }
    }

    func open(_ owner: String, balance: Int, key: String) async throws -> Int64 {
        try await store.write(idempotencyKey: key) { connection in
            try await connection.insert(Account(id: nil, owner: owner, balance: balance, note: Data([0, 255])))
        }
    }

    func move(_ amount: Int, from: Int64, to: Int64) async throws {
        try await store.write { connection in
            try await connection.run("UPDATE accounts SET balance = balance + ? WHERE id = ?", amount, to)
            try await connection.run("UPDATE accounts SET balance = balance - \(amount) WHERE id = \(from)")
        }
    }

    func accounts() async throws -> [Account] {
        try await store.read { try await $0.all(Account.where { $0.balance > 0 }.order { $0.id.ascending }) }
    }

    /// Uses each verb, and returns what was seen.
    func run() async throws -> [String] {
        var seen: [String] = []
        seen.append("\(try await store.migrate(Self.schema)) \(try await store.migrate(Self.schema))")
        let ada = try await open("ada", balance: 10, key: "a")
        let again = try await open("ada", balance: 99, key: "a")
        let bo = try await open("bo", balance: 5, key: "b")
        seen.append("\(ada) \(again) \(bo)")
        try await move(7, from: ada, to: bo)
        do {
            try await move(7, from: ada, to: bo)
        } catch let error as SQLiteError {
            seen.append("\(error.extendedResultCode) \(error.resultCode)")
        }
        try await store.write { connection in
            for sql in [
                "INSERT INTO accounts(owner, balance) VALUES(NULL, 1)",
                "INSERT INTO squall_writes VALUES('a', NULL, 0)",
            ] {
                do {
                    try await connection.run(SQL(raw: sql))
                } catch let error as SQLiteError {
                    seen.append("\(error.extendedResultCode)")
                }
            }
            // The transaction goes on.
            try await connection.run("UPDATE accounts SET note = NULL WHERE id = \(ada)")
        }
        for account in try await accounts() { seen.append("\(account)") }
        try await store.read { (connection: StoreConnection) async throws -> Void in
            let named: [Account] = try await connection.query(
                "SELECT * FROM accounts WHERE owner = :owner", ["owner": "bo"])
            let pairs: [String: Int] = try await connection.query("SELECT owner, balance FROM accounts")
            let none: Int? = try await connection.query("SELECT balance FROM accounts WHERE id = \(Int64.max)")
            let nothing: String? = try await connection.query("SELECT NULL")
            let dated: Date = try await connection.query("SELECT '2026-11-25 12:00:00.000'")
            let value: Double = try await connection.query("SELECT 1.5e300")
            let found = try await connection.find(Account.self, bo)
            let row = try await connection.query("SELECT *, balance AS balance FROM accounts WHERE id = \(ada)")
            let exists = try await connection.exists(Account.self) { $0.balance > 5000 }
            seen.append("\(named) \(pairs.sorted { $0.key < $1.key }) \(none as Any) \(nothing as Any)")
            seen.append("\(dated) \(value) \(found as Any) \(exists) \(row.map { $0.columns.map(\.name) } as Any)")
            do {
                let _: Int = try await connection.query("SELECT owner FROM accounts WHERE id = 1")
            } catch {
                seen.append("\(error)")
            }
            do {
                let _: Int = try await connection.query("SELECT x FROM missing")
            } catch let error as SQLiteError {
                seen.append("\(error.resultCode) \(error.message)")
            }
        }
        return seen
    }
}

/// The verbs of records, and values that are seldom used, on any store.
private struct Records<Store: SQLStore> {
    let store: Store

    func run() async throws -> [String] {
        try await store.migrate(Schema("records") { Version(1) { CreateTable(Account.table.definition) } })
        return try await values() + records()
    }

    private func values() async throws -> [String] {
        try await store.write { connection in
            let integers: [Int?] = try await connection.query("SELECT 1 UNION ALL SELECT NULL")
            let reals: [Double?] = try await connection.query("SELECT 1.5 UNION ALL SELECT NULL")
            let texts: [String?] = try await connection.query("SELECT NULL UNION ALL SELECT 'a'")
            // SQLite computes no NaN, but NULL.
            let notNumbers: [Double?] = try await connection.query("SELECT 9e999 - 9e999")
            let refused = await #expect(throws: SQLiteError.self) {
                try await connection.query("SELECT \(Double.nan)") as Double?
            }
            try await connection.run("INSERT INTO accounts(owner, balance) VALUES('x', 0)")
            let result = try await connection.run("SELECT 1")
            try await connection.run("DELETE FROM accounts")
            return [
                "\(integers)", "\(reals)", "\(texts)", "\(notNumbers)", "\(refused?.message ?? "")",
                "changes \(result.changes)",
            ]
        }
    }

    private func records() async throws -> [String] {
        try await store.write { connection in
            var seen: [String] = []
            var ada = Account(id: 1, owner: "ada", balance: 5, note: nil)
            let bo = Account(id: 2, owner: "bo", balance: 7, note: Data([1]))
            try await connection.insert(contentsOf: [ada, bo])
            for account in try await connection.all(Account.order { $0.id.ascending }) {
                seen.append("\(account.id ?? 0) \(account.owner) \(account.balance)")
            }
            ada = Account(id: 1, owner: "ada", balance: 6, note: nil)
            try await connection.update(ada)
            seen.append("ada \(try await connection.find(Account.self, 1)?.balance ?? 0)")
            ada = Account(id: 1, owner: "ada", balance: 9, note: nil)
            try await connection.upsert(ada)
            seen.append("ada \(try await connection.find(Account.self, 1)?.balance ?? 0)")
            seen.append("\(try await connection.count(Account.self))")
            seen.append("deleted \(try await connection.delete(bo)) \(try await connection.delete(bo))")
            seen.append("\(try await connection.find(Account.self, 2) as Any)")
            seen.append("\(try await connection.count(Account.self))")
            return seen
        }
    }
}

@Suite(.serialized) struct StoreTests {
    @Test func aDataLayerRunsOnBothStores() async throws {
        let local = try await Bank(store: Database()).run()
        try await TestNodes.with(1) { nodes in
            let cluster = try await nodes.client()
            let remote = try await Bank(store: cluster).run()
            #expect(remote == local)
            await cluster.close()
        }
        #expect(local.count == 12)
    }

    @Test func recordsAndValuesAreReadAndWrittenAsInAFile() async throws {
        let local = try await Records(store: Database()).run()
        try await TestNodes.with(1) { nodes in
            let cluster = try await nodes.client()
            let remote = try await Records(store: cluster).run()
            #expect(remote == local)
            await cluster.close()
        }
        #expect(
            local == [
                "[Optional(1), nil]", "[Optional(1.5), nil]", "[nil, Optional(\"a\")]", "[nil]",
                "NaN cannot be bound to parameter 1: SQLite would store NULL", "changes 1",
                "1 ada 5", "2 bo 7", "ada 6", "ada 9", "2", "deleted true false", "nil", "1",
            ])
    }

    @Test func wrongStatementsAreErrorsThatSayWhy() async throws {
        try await TestNodes.with(1) { nodes in
            let cluster = try await nodes.client()
            for sql in ["SELEC 1", "1", "nonsense nonsense"] {
                for isWriting in [false, true] {
                    let error = await #expect(throws: SQLiteError.self) {
                        let run: (StoreConnection) async throws -> Void = { connection in
                            _ = try await connection.query(SQL(raw: sql)) as [Int]
                        }
                        if isWriting { try await cluster.write(run) } else { try await cluster.read(run) }
                    }
                    #expect(error?.message.contains("syntax error") == true, "\(sql): \(error as Any)")
                }
            }
            let script = "CREATE TABLE t(a); SELECT 1; CREATE TABLE u(a)"
            await #expect(throws: ClusterError.unsupportedStatement(.returnsRows, sql: script)) {
                try await cluster.write { try await $0.execute(SQL(raw: script)) }
            }
            let pragma = "PRAGMA nonsense"
            await #expect(throws: ClusterError.unsupportedStatement(.noColumns, sql: pragma)) {
                try await cluster.read { try await $0.query(SQL(raw: pragma)) as [Int] }
            }
            let tables: [String] = try await cluster.read { try await $0.query("SELECT name FROM sqlite_master") }
            #expect(tables == [])
            await cluster.close()
        }
    }

    @Test func longResultsArriveInParts() async throws {
        try await TestNodes.with(1) { nodes in
            let cluster = try await nodes.client()
            try await cluster.migrate(Bank<Cluster>.schema)
            let accounts = (0..<3000).map {
                Account(id: nil, owner: "\($0)", balance: $0, note: Data(repeating: 7, count: 50))
            }
            try await cluster.write { try await $0.insert(contentsOf: accounts) }
            try await cluster.read { (connection: StoreConnection) async throws -> Void in
                let balances: [Int] = try await connection.query(
                    "SELECT balance FROM accounts WHERE id > 1 ORDER BY id")
                #expect(balances == Array(0..<3000))
                let first: Int = try await connection.query("SELECT balance FROM accounts ORDER BY balance DESC")
                #expect(first == 2999)
                let count = Counter()
                try await connection.forEach("SELECT * FROM accounts") { row in
                    let note: Data? = try row.get("note")
                    count.add(note?.count ?? 0)
                }
                #expect(count.value == 150_000)
            }
            await cluster.close()
        }
    }

    @Test func closuresAndArraysAreRefused() async throws {
        try await TestNodes.with(1) { nodes in
            let cluster = try await nodes.client()
            let schema = Schema("s") {
                Version(1) { Execute("CREATE TABLE t(a)") }
                Version(2) { Execute { _ in } }
            }
            let error = await #expect(throws: SchemaError.self) { try await cluster.migrate(schema) }
            #expect(
                error
                    == .invalid([
                        "version 2, Execute: a closure cannot run where the database is on another machine"
                    ]))
            let ids = [1, 2]
            let refused = await #expect(throws: SQLiteError.self) {
                try await cluster.read { try await $0.query("SELECT value FROM \(array: ids)") as [Int] }
            }
            #expect(refused?.kind == .arrayElsewhere)
            let tables: [String] = try await cluster.read { try await $0.query("SELECT name FROM sqlite_master") }
            #expect(tables == [])
            await cluster.close()
        }
    }

    @Test func aRebuildKeepsRowsAndReferences() async throws {
        let history = { (last: Int) in
            Schema("s") {
                Version(1) {
                    Execute(
                        """
                        CREATE TABLE parents(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
                        CREATE TABLE children(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents(id) ON DELETE CASCADE);
                        CREATE VIEW names AS SELECT name FROM parents;
                        INSERT INTO parents VALUES(7, 'x'), (9, 'y'); DELETE FROM parents WHERE id = 9;
                        INSERT INTO children VALUES(1, 7)
                        """)
                }
                if last > 1 {
                    Version(2) { AlterTable("parents") { ChangeColumn("name", to: String.self) } }
                }
                if last > 2 {
                    Version(3) { Execute("DELETE FROM parents WHERE id = 11") }
                    Version(4) { DropTable("parents") }
                }
            }
        }
        try await TestNodes.with(1) { nodes in
            let cluster = try await nodes.client()
            #expect(try await cluster.migrate(history(1)))
            #expect(try await cluster.migrate(history(2)))
            let rows: [Int] = try await cluster.read { try await $0.query("SELECT parent FROM children") }
            #expect(rows == [7])
            let id = try await cluster.write {
                try await $0.run("INSERT INTO parents(name) VALUES('z')").lastInsertRowID
            }
            #expect(id == 10)
            try await cluster.write {
                try await $0.execute("INSERT INTO parents VALUES(11, 'w'); INSERT INTO children VALUES(2, 11)")
            }
            let error = await #expect(throws: SchemaError.self) { try await cluster.migrate(history(3)) }
            #expect("\(error as Any)".contains("names"))
            // Version 3 ran with foreign keys on, and is kept.
            let left: [Int] = try await cluster.read { try await $0.query("SELECT id FROM children") }
            #expect(left == [1])
            let version: Int = try await cluster.read { try await $0.query("PRAGMA user_version") }
            #expect(version == 3)
            let on: Int = try await cluster.read { try await $0.query("PRAGMA foreign_keys") }
            #expect(on == 1)
            await cluster.close()
        }
    }

    /// Each version is run by one of them.
    @Test func severalClientsMigrateOnce() async throws {
        try await TestNodes.with(1) { nodes in
            let results = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let cluster = try await nodes.client()
                        let hasRun = try await cluster.migrate(Bank<Cluster>.schema)
                        await cluster.close()
                        return hasRun
                    }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect((1...2).contains(results.count(where: \.self)))
            let cluster = try await nodes.client()
            let owners: [String] = try await cluster.read { try await $0.query("SELECT owner FROM accounts") }
            #expect(owners == ["house"])
            await cluster.close()
        }
    }
}

private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = 0

    func add(_ number: Int) { lock.withLock { sum += number } }

    var value: Int { lock.withLock { sum } }
}
