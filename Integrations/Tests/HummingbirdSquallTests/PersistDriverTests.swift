import Foundation
import Hummingbird
import HummingbirdSquall
import HummingbirdTesting
import Squall
import Testing

/// The contract of Hummingbird's drivers, and the rows that are stored.
struct PersistDriverTests {
    struct Item: Codable, Equatable { var name: String, date: Date, data: Data, number: UInt64 }

    private func makeDriver() async throws -> SquallPersistDriver {
        try await SquallPersistDriver(Database.temporary())
    }

    @Test func aValueIsReadAsItWasStored() async throws {
        let driver = try await makeDriver()
        let item = Item(name: "a\0ü", date: Date(timeIntervalSince1970: 0.1), data: Data([0, 255]), number: .max)
        try await driver.create(key: "item", value: item)
        #expect(try await driver.get(key: "item", as: Item.self) == item)
        try await driver.set(key: "item", value: [1, 2])
        #expect(try await driver.get(key: "item", as: [Int].self) == [1, 2])
        #expect(try await driver.get(key: "other", as: Int.self) == nil)
    }

    @Test func aKeyThatExistsIsADuplicate() async throws {
        let driver = try await makeDriver()
        try await driver.create(key: "key", value: 1)
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "key", value: 2) }
        #expect(try await driver.get(key: "key", as: Int.self) == 1)
    }

    @Test func aValueOfAnotherTypeIsAnInvalidConversion() async throws {
        let driver = try await makeDriver()
        try await driver.set(key: "key", value: ["a": 1])
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "key", as: String.self) }
        await #expect(throws: PersistError.invalidConversion) { try await driver.getWithTTL(key: "key", as: Int.self) }
    }

    @Test func aValueThatJSONCannotHoldIsNotStored() async throws {
        let driver = try await makeDriver()
        await #expect(throws: EncodingError.self) { try await driver.set(key: "key", value: Double.infinity) }
        #expect(try await driver.get(key: "key", as: Double.self) == nil)
    }

    @Test func aRemovedKeyCanBeCreated() async throws {
        let driver = try await makeDriver()
        try await driver.create(key: "key", value: 1)
        try await driver.remove(key: "key")
        try await driver.remove(key: "key")
        #expect(try await driver.get(key: "key", as: Int.self) == nil)
        try await driver.create(key: "key", value: 2)
        #expect(try await driver.get(key: "key", as: Int.self) == 2)
    }

    @Test func replaceChangesOnlyAKeyThatHasAValue() async throws {
        let driver = try await makeDriver()
        #expect(try await driver.replace(key: "key", value: 1) == false)
        #expect(try await driver.get(key: "key", as: Int.self) == nil)
        try await driver.create(key: "key", value: 1)
        #expect(try await driver.replace(key: "key", value: 2))
        #expect(try await driver.get(key: "key", as: Int.self) == 2)
    }

    @Test func theRowIsJSONAndMilliseconds() async throws {
        let (database, clock) = (try Database.temporary(), ManualClock(1_000))
        let driver = try await SquallPersistDriver(database, now: clock.now)
        try await driver.create(key: "key", value: ["b": 1], expires: .seconds(2))
        let row = try await database.read {
            try $0.first(
                "SELECT typeof(key), value, expires_at FROM hummingbird_persist", as: (String, String, Int64).self)
        }
        #expect(try #require(row) == ("text", #"{"b":1}"#, 1_002_000))
    }

    @Test func theIndexServesTheSweep() async throws {
        let database = try Database.temporary()
        _ = try await SquallPersistDriver(database)
        let plan: [String] = try await database.read {
            try $0.query(
                """
                EXPLAIN QUERY PLAN SELECT rowid FROM hummingbird_persist WHERE expires_at <= 1
                ORDER BY expires_at LIMIT 10
                """
            ) { row in try row.get("detail") }
        }
        #expect(plan.count == 1 && plan.contains { $0.contains("hummingbird_persist_expires_at") }, "\(plan)")
    }

    @Test func routesUseItAsAnyOtherDriver() async throws {
        let persist: any PersistDriver = try await makeDriver()
        let router = Router()
        router.put("/:tag") { request, context -> HTTPResponse.Status in
            let body = try await request.body.collect(upTo: .max)
            do {
                try await persist.create(key: context.parameters.require("tag"), value: String(buffer: body))
            } catch let error as PersistError where error == .duplicate {
                throw HTTPError(.conflict)
            }
            return .created
        }
        router.get("/:tag") { _, context -> String? in
            try await persist.get(key: context.parameters.require("tag"), as: String.self)
        }
        try await Application(router: router, services: [persist]).test(.router) { client async throws in
            let body = ByteBuffer(string: "Persist")
            #expect(try await client.execute(uri: "/a", method: .put, body: body).status == .created)
            #expect(try await client.execute(uri: "/a", method: .put, body: body).status == .conflict)
            #expect(try await client.execute(uri: "/a", method: .get).text == "Persist")
            #expect(try await client.execute(uri: "/b", method: .get).status == .noContent)
        }
    }
}
