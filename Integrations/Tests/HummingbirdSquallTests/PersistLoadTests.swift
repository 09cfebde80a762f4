import Foundation
import Hummingbird
import HummingbirdSquall
import IntegrationSupport
import Squall
import TestSupport
import Testing

/// Two databases on one file, as two processes have them, and many tasks that use the same keys.
struct PersistLoadTests {
    private func makeDrivers(
        _ database: Database, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> [SquallPersistDriver] {
        let other = try Database(database.fileName, mode: .existing)
        var drivers: [SquallPersistDriver] = []
        for database in [database, other] {
            let configuration = SquallPersistDriver.Configuration(deadline: nil, sweepBatch: 3)
            drivers.append(try await SquallPersistDriver(database, configuration: configuration, now: now))
        }
        return drivers
    }

    /// In each round, the values of the round before have expired, and nothing expires.
    @Test func oneOfManyCreatesWinsInEveryRound() async throws {
        let (database, clock) = (try Database.temporary(), ManualClock())
        let drivers = try await makeDrivers(database, now: clock.now)
        let keys = (0..<6).map { "key \($0)" }
        for index in 0..<20 { try await drivers[0].set(key: "permanent \(index)", value: index) }
        for round in 0..<8 {
            let winners = try await withThrowingTaskGroup(of: (key: String, value: Int)?.self) { group in
                for task in 0..<8 {
                    for key in task.isMultiple(of: 2) ? keys : keys.reversed() {
                        group.addTask {
                            let driver = drivers[task % 2]
                            let value = round * 100 + task
                            do {
                                try await driver.create(key: key, value: value, expires: .seconds(10))
                            } catch let error as PersistError where error == .duplicate {
                                return nil
                            }
                            let found = try await driver.get(key: key, as: Int.self)
                            #expect(found == value)
                            return (key, value)
                        }
                    }
                    group.addTask {
                        try await drivers[task % 2].sweep()
                        return nil
                    }
                }
                var winners: [(key: String, value: Int)] = []
                for try await winner in group { winners += winner.map { [$0] } ?? [] }
                return winners
            }
            #expect(winners.map(\.key).sorted() == keys)
            try await drivers[1].sweep()
            for (key, value) in winners { #expect(try await drivers[0].get(key: key, as: Int.self) == value) }
            #expect(try await database.count() == 26)
            clock.advance(by: 10)
        }
    }

    /// Triggers record the expiry of every value that is created. All live for the same time, so that the expiry of the
    /// next value of a key is later by at least that time, unless a value was created, or swept, before the one before
    /// had expired.
    @Test func valuesThatExpireUnderLoadAreNeverReplacedOrSweptEarly() async throws {
        let database = try Database.temporary()
        let drivers = try await makeDrivers(database)
        try await database.write {
            try $0.execute(
                """
                CREATE TABLE history(id INTEGER PRIMARY KEY, key, expires_at);
                CREATE TRIGGER inserted AFTER INSERT ON hummingbird_persist BEGIN
                    INSERT INTO history(key, expires_at) VALUES(new.key, new.expires_at); END;
                CREATE TRIGGER updated AFTER UPDATE ON hummingbird_persist BEGIN
                    INSERT INTO history(key, expires_at) VALUES(new.key, new.expires_at); END;
                """)
        }
        let created = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    var step = 0
                    while created.value < 60 {
                        let (driver, key) = (drivers[task % 2], "key \(step % 3)")
                        do {
                            try await driver.create(key: key, value: task, expires: .milliseconds(4))
                            created.increment()
                        } catch let error as PersistError where error == .duplicate {}
                        _ = try await driver.get(key: key, as: Int.self)
                        step += 1
                        if step.isMultiple(of: 10) { try await driver.sweep() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (recorded, early) = try #require(
            try await database.read {
                try $0.first(
                    """
                    SELECT count(*), coalesce(sum(expires_at - previous < 4), 0) FROM (
                        SELECT expires_at, lag(expires_at) OVER (PARTITION BY key ORDER BY id) AS previous FROM history)
                    """, as: (Int, Int).self)
            })
        #expect(created.value == recorded)
        #expect(early == 0)
    }

    @Test func anotherDriverOfTheFileSeesTheValue() async throws {
        let database = try Database.temporary()
        let drivers = try await makeDrivers(database)
        try await drivers[0].create(key: "key", value: 1)
        #expect(try await drivers[1].get(key: "key", as: Int.self) == 1)
        await #expect(throws: PersistError.duplicate) { try await drivers[1].create(key: "key", value: 2) }
        try await drivers[1].remove(key: "key")
        #expect(try await drivers[0].get(key: "key", as: Int.self) == nil)
    }
}
