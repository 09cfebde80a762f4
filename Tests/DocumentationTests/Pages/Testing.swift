// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

struct TestingPage {
    struct Account: TableRecord, Equatable {
        let id: Int64?
        let owner: String
        var cents: Int

        static let table = Table("accounts", Account.init) {
            Column("id", \Account.id, .primaryKey)
            Column("owner", \Account.owner, .unique)
            Column("cents", \Account.cents, .check("cents >= 0"))
        }
    }

    struct AccountTests {
        let connection: Connection

        init() throws {
            connection = try Connection(":memory:")
            try Bank.schema.migrate(connection)
            try connection.insert(contentsOf: [
                Account(id: 1, owner: "Ada", cents: 500),
                Account(id: 2, owner: "Bo", cents: 0),
            ])
        }

        @Test func moneyMoves() throws {
            try Bank.transfer(300, from: 1, to: 2, on: connection)
            #expect(try connection.find(Account.self, 2)?.cents == 300)
        }
    }

    enum Bank {
        static let schema = Schema("bank") {
            Version(1) {
                CreateTable("accounts") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("owner", String.self, .unique)
                    ColumnDef("cents", Int.self, .check("cents >= 0"))
                }
                CreateTable("log") {
                    ColumnDef("text", String.self)
                    ColumnDef("at", Date.self)
                }
            }
        }

        static func prepare(
            _ connection: Connection, now: @escaping @Sendable () -> Date = { Date() }
        ) throws {
            try connection.addFunction("now") { now() }
        }

        static func transfer(
            _ cents: Int, from: Int64, to: Int64, on connection: Connection
        ) throws {
            try connection.savepoint(named: "transfer") {
                try connection.update(Account.self) {
                    $0.cents.set(to: $0.cents + cents)
                } where: { $0.id == to }
                try connection.update(Account.self) {
                    $0.cents.set(to: $0.cents - cents)
                } where: { $0.id == from }
            }
        }
    }

    static let template = Result {
        let connection = try Connection(":memory:")
        try Bank.schema.migrate(connection)
        try connection.insert(Account(id: 1, owner: "Ada", cents: 500))
        return try connection.serialize()
    }

    static func copy() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.deserialize(template.get())
        return connection
    }

    struct ErrorTests {
        let connection: Connection

        init() throws { connection = try AccountTests().connection }

        @Test func nothingMovesWithoutMoney() throws {
            let error = try #require(throws: SQLiteError.self) {
                try Bank.transfer(900, from: 1, to: 2, on: connection)
            }
            #expect(error.extendedResultCode == .constraintCheck)
            #expect(error.message == "CHECK constraint failed: cents >= 0")
            #expect(try connection.find(Account.self, 2)?.cents == 0)       // rolled back
        }

        @Test func ownersAreUnique() throws {
            do {
                try connection.insert(Account(id: 3, owner: "Ada", cents: 0))
                Issue.record("inserted")
            } catch ResultCode.constraintUnique {}
        }

        @Test func insertionErrors() throws {
            let error = try #require(throws: InsertionError.self) {
                try connection.insert(contentsOf: [Account(id: 3, owner: "Ada", cents: 0)])
            }
            #expect(error.index == 0 && ResultCode.constraintUnique ~= error)
        }
    }

    @Test func configurations() throws {
        let sqlite = try Connection(storageLocation: .inMemory)
        print(try sqlite.query("PRAGMA foreign_keys") as Bool)          // false
        let recommended = try Connection(":memory:")
        print(try recommended.query("PRAGMA foreign_keys") as Bool)     // true
        #expect(try sqlite.query("PRAGMA foreign_keys") == false && recommended.query("PRAGMA foreign_keys") == true)
        #expect(try Self.copy().all(Account.self).map(\.owner) == ["Ada"])
        #expect(try Self.copy().query("PRAGMA foreign_keys") == true)
    }

    @Test func time() async throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        let database = try Database.temporary { try Bank.prepare($0, now: { noon }) }
        try await database.migrate(Bank.schema)
        try await database.write { try $0.run("INSERT INTO log VALUES('begun', now())") }
        let at: Date = try await database.read { try $0.query("SELECT at FROM log") }
        print(at == noon)                                       // true
        #expect(at == noon)

        let connection = try Connection(":memory:")
        try connection.addFunction("now", directOnly: false, innocuous: true) { noon }
        try connection.execute("CREATE TABLE t(a, at DEFAULT (now())); INSERT INTO t(a) VALUES(1)")
        #expect(try connection.query("SELECT at FROM t") == noon)

        let error = await #expect(throws: SQLiteError.self) {
            try await database.read(deadline: .zero) { try $0.query("SELECT 1") as Int }
        }
        #expect(error?.resultCode == .interrupt)

        let bytes = try Self.template.get()
        let memory = try Database(":memory:")
        try await memory.writeWithoutTransaction { try $0.deserialize(bytes) }
        #expect(try await memory.read { try $0.count(Account.self) } == 1)

        let sequence = database.observe("SELECT count(*) FROM log", as: Int.self)
        var values = sequence.makeAsyncIterator()
        #expect(try await values.next() == 1)
        try await database.write { try $0.run("INSERT INTO log VALUES('ended', now())") }
        #expect(try await values.next() == 2)
    }

    @Test func queries() throws {
        let connection = try AccountTests().connection
        var profiles: [Connection.StatementProfile] = []
        let token = connection.addProfileObserver { profiles.append($0) }
        let ada = try connection.first(Account.self) { $0.owner == "Ada" }
        token.cancel()

        print(profiles.count)                                   // 1
        print(profiles[0].expandedSQL)                          // SELECT … = 'Ada' LIMIT 1
        print(profiles[0].fullScanSteps)                        // 0: the index of UNIQUE
        #expect(ada?.cents == 500 && profiles.count == 1 && profiles[0].fullScanSteps == 0)
        #expect(profiles[0].expandedSQL.hasSuffix("= 'Ada' LIMIT 1"))

        let rich = Account.where { $0.cents > 1_000 }.select { $0.owner }
        #expect(rich.sql.debugDescription == """
            SELECT "accounts"."owner" FROM "accounts" WHERE "accounts"."cents" > 1000
            """)
    }

    @Test func locks() async {
        await #expect(processExitsWith: .success) { try TestingPage.runLocks() }
    }

    static func runLocks() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        try Bank.schema.migrate(Connection("app.db"))
        let rival = try Connection("app.db")
        try rival.execute("BEGIN IMMEDIATE")
        var configuration = Configuration.recommended
        configuration.busyTimeout = .zero
        let busy = try Connection("app.db", configuration: configuration)
        do {
            try busy.run("DELETE FROM log")
        } catch ResultCode.busy {
            print("locked, as it should be")
        }
        #expect(throws: SQLiteError.self) { try busy.run("DELETE FROM log") }
    }
}
