import Foundation
import Hummingbird
import HummingbirdSquall
import IntegrationSupport
import Logging
import ServiceLifecycleTestKit
import Squall
import TestSupport
import Testing

struct SweepTests {
    private let clock = ManualClock()

    @Test func aSweepDeletesExpiredRowsInBatches() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(database, configuration: .init(sweepBatch: 10), now: clock.now)
        for index in 0..<25 { try await driver.set(key: "short \(index)", value: index, expires: .seconds(1)) }
        try await driver.set(key: "long", value: 1, expires: .seconds(2))
        try await driver.set(key: "for ever", value: 1)
        #expect(try await driver.sweep() == 0)
        clock.advance(by: 1)
        let commits = Locked(0)
        let token = database.addCommitObserver {
            commits.increment()
            return false
        }
        #expect(try await driver.sweep() == 25)
        token.cancel()
        #expect(commits.value == 3)
        #expect(try await database.count() == 2)
        #expect(try await driver.get(key: "long", as: Int.self) == 1)
    }

    @Test func theServiceSweepsUntilItShutsDown() async throws {
        let database = try Database.temporary()
        let driver = try await SquallPersistDriver(
            database, configuration: .init(sweepInterval: .milliseconds(1)), now: clock.now)
        try await driver.set(key: "before", value: 1, expires: .zero)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await driver.run() }
                try await database.waitUntilEmpty()
                try await driver.set(key: "later", value: 1, expires: .zero)
                try await database.waitUntilEmpty()
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
    }

    @Test func aSweepThatFailsDoesNotEndTheService() async throws {
        let database = try Database.temporary(configuration: .impatient)
        let log = LogRecorder()
        let driver = try await SquallPersistDriver(
            database, configuration: .init(sweepInterval: .milliseconds(1)), logger: log.logger, now: clock.now)
        try await driver.set(key: "key", value: 1, expires: .zero)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileLocked(database) { () async throws in
                    group.addTask { try await driver.run() }
                    while log.messages(.warning).isEmpty { await Task.yield() }
                }
                try await database.waitUntilEmpty()
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
    }

    @Test func cancellingTheTaskEndsTheService() async throws {
        let driver = try await SquallPersistDriver(Database.temporary())
        let task = Task { try await driver.run() }
        task.cancel()
        try await task.value
    }
}

extension Database {
    fileprivate func waitUntilEmpty() async throws {
        for try await count in observe("SELECT count(*) FROM hummingbird_persist", as: Int.self) where count == 0 {
            return
        }
    }
}
