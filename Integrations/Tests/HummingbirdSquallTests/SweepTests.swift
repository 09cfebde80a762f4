import Foundation
import Hummingbird
import HummingbirdSquall
import Logging
import ServiceLifecycleTestKit
import Squall
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
        let commits = Counter()
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
        let warnings = Counter()
        let logger = Logger(label: "test") { _ in CountingLogHandler(counter: warnings) }
        let driver = try await SquallPersistDriver(
            database, configuration: .init(sweepInterval: .milliseconds(1)), logger: logger, now: clock.now)
        try await driver.set(key: "key", value: 1, expires: .zero)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await whileLocked(database) { () async throws in
                    group.addTask { try await driver.run() }
                    while warnings.value == 0 { await Task.yield() }
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

/// Sendable, because the count is used only under the lock.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func increment() { lock.withLock { count += 1 } }
}

private struct CountingLogHandler: LogHandler {
    let counter: Counter
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.level == .warning { counter.increment() }
    }
}
