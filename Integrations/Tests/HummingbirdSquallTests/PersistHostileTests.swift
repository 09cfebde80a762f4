import Foundation
import Hummingbird
import HummingbirdSquall
import Squall
import Testing

struct PersistHostileTests {
    static let keys = [
        "", " ", "a",
        "a\0", "a\0b", "a\0c", "\0", "'", "\"", "'); DROP TABLE hummingbird_persist; --", "?", ":key", "%",
        "é", "e\u{301}", "ключ", "🧵", "A", String(repeating: "k", count: 1_000_000),
        String(repeating: "k", count: 999_999) + "l",
    ]

    @Test func everyKeyHasItsOwnValue() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(database)
        for (index, key) in Self.keys.enumerated() { try await driver.create(key: key, value: index) }
        #expect(try await database.count() == Self.keys.count)
        for (index, key) in Self.keys.enumerated() {
            #expect(try await driver.get(key: key, as: Int.self) == index, "\(key.prefix(40))")
            await #expect(throws: PersistError.duplicate) { try await driver.create(key: key, value: 0) }
            try await driver.set(key: key, value: -index)
        }
        for (index, key) in Self.keys.enumerated() {
            #expect(try await driver.get(key: key, as: Int.self) == -index, "\(key.prefix(40))")
            try await driver.remove(key: key)
        }
        #expect(try await database.count() == 0)
    }

    @Test(arguments: ["order", "a\"b", "x; DROP TABLE notes; --", "a b", "täble", "'", "?1", "[x]", "main.x"])
    func everyTableNameIsQuoted(table: String) async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE notes(id)") }
        for _ in 0..<2 {
            let driver = try await SquallPersistDriver(database, configuration: .init(table: table))
            try await driver.set(key: "key", value: 1, expires: .zero)
            #expect(try await driver.sweep() == 1)
            try await driver.create(key: "key", value: 1)
            #expect(try await driver.get(key: "key", as: Int.self) == 1)
            try await driver.remove(key: "key")
        }
        let tables: [String] = try await database.read {
            try $0.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        }
        #expect(tables == ["notes", table])
    }

    @Test func aTableNameThatSQLiteRefusesIsAnErrorOfTheInitializer() async throws {
        let database = try Database.temporary()
        #expect(
            try await kind { _ = try await SquallPersistDriver(database, configuration: .init(table: "a\0b")) }
                == .nulCharacter(in: .identifier))
        await #expect(throws: SQLiteError.self) {
            try await SquallPersistDriver(database, configuration: .init(table: "sqlite_persist"))
        }
    }

    @Test func aTableOfTheApplicationIsNotUsed() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE hummingbird_persist(key, value, amount)") }
        await #expect(throws: SQLiteError.self) { try await SquallPersistDriver(database) }
    }

    @Test func aDriverOfAFileThatHasTheTableWritesNothing() async throws {
        let database = try Database.temporary()
        _ = try await SquallPersistDriver(database)
        try await whileLocked(database) { () async throws in
            let driver = try await SquallPersistDriver(database)
            #expect(try await driver.get(key: "key", as: Int.self) == nil)
        }
    }

    @Test func theDeadlineLimitsAWaitForTheFile() async throws {
        let database = try Database.temporary()
        let patient = try await SquallPersistDriver(database, configuration: .init(deadline: nil))
        let driver = try await SquallPersistDriver(database, configuration: .init(deadline: .seconds(1)))
        try await whileLocked(database) {
            async let set = kind { try await driver.set(key: "key", value: 1) }
            async let create = kind { try await driver.create(key: "key", value: 1) }
            async let remove = kind { try await driver.remove(key: "key") }
            async let sweep = kind { try await driver.sweep() }
            // The first waits for the file, and the others for the first.
            for kind in [try await set, try await create, try await remove, try await sweep] {
                #expect(kind == .interrupted(.deadline))
            }
            #expect(try await patient.get(key: "key", as: Int.self) == nil)
        }
        try await patient.create(key: "key", value: 1)
    }

    @Test func aLockedFileIsTheErrorOfSQLite() async throws {
        let database = try Database.temporary(configuration: .impatient)
        let driver = try await SquallPersistDriver(database)
        try await whileLocked(database) { () async throws in
            let error = await #expect(throws: SQLiteError.self) { try await driver.set(key: "key", value: 1) }
            #expect(error?.resultCode == .busy)
        }
    }

    @Test func theDriverDoesNotCloseTheDatabase() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(database)
        try await driver.shutdown()
        #expect(try await database.count() == 0)
        try await database.close()
        #expect(try await kind { try await driver.set(key: "key", value: 1) } == .closed(.database))
    }
}
