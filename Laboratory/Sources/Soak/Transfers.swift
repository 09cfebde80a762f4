import Foundation
import LaboratorySupport
import Squall
import Synchronization

/// Money that threads and tasks move between accounts, while others read, observe, copy, checkpoint, suspend and cancel.
///
/// The sum of all accounts never changes, and each transfer that was acknowledged is in the journal. Only a cancelled task is
/// interrupted, except by a suspension.
final class Transfers: Sendable {
    private static let accounts = 50
    private static let sum = 50_000

    private let database: Database
    private let seed: UInt64
    private let suspends: Bool
    private let violations = Violations()
    private let acknowledged = Locked<Set<Int64>>([])
    private let isDone = Atomic<Bool>(false)
    private let transferCount = Atomic<Int>(0)
    private let readCount = Atomic<Int>(0)
    /// The last number of transfers that the observer has seen.
    private let observedCount = Atomic<Int>(0)

    init(file: String, seed: UInt64, groupsCommits: Bool, suspends: Bool) throws {
        var configuration = Configuration.recommended
        configuration.groupCommit = groupsCommits
        configuration.logLimit = 4_000_000
        database = try Database(file, configuration: configuration)
        self.seed = seed
        self.suspends = suspends
        try database.blocking.write { connection in
            try connection.execute(
                """
                CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
                CREATE TABLE journal(id INTEGER PRIMARY KEY, source INTEGER, target INTEGER);
                """)
            for id in 0..<Self.accounts { try connection.run("INSERT INTO accounts VALUES(\(id), 1000)") }
        }
    }

    func run(seconds: Int) throws -> (points: Int, violations: [String]) {
        let threads = DispatchGroup()
        func start(_ number: Int, _ body: @escaping @Sendable (inout SeededGenerator) throws -> Void) {
            threads.enter()
            Thread.detachNewThread { [self] in
                var generator = SeededGenerator(seed: seed &+ UInt64(number))
                while !isDone.load(ordering: .relaxed) {
                    do {
                        try body(&generator)
                    } catch let error as SQLiteError where isExpected(error) {
                    } catch {
                        violations.add("thread \(number): \(error)")
                    }
                }
                threads.leave()
            }
        }
        for number in 0..<2 { start(number) { [self] in try transferInThread(&$0) } }
        for number in 2..<4 { start(number) { [self] _ in try checkSum() } }
        start(4) { [self] in try maintain(&$0) }
        let tasks = (5..<13).map { number in
            Task.detached { [self] in await runTask(SeededGenerator(seed: seed &+ UInt64(number))) }
        }
        let following = Task.detached { [self] in await follow() }
        Thread.sleep(forTimeInterval: Double(seconds))
        isDone.store(true, ordering: .relaxed)
        let hasEnded = try waitForTask(atMost: 60) {
            for task in tasks { await task.value }
            return true
        }
        violations.expect(hasEnded == true, "the tasks did not end within 60 s")
        violations.expect(threads.wait(timeout: .now() + 60) == .success, "the threads did not end within 60 s")
        if hasEnded == true { try checkObserver() }
        following.cancel()
        let hasStopped: Void? = try waitForTask(atMost: 60) { await following.value }
        violations.expect(hasStopped != nil, "the observer did not end within 60 s")
        if hasEnded == true { try checkEnd() }
        let counts = (transfers: transferCount.load(ordering: .relaxed), reads: readCount.load(ordering: .relaxed))
        violations.expect(counts.transfers > 0, "no transfer was acknowledged")
        violations.expect(counts.reads > 0, "no read has returned")
        return (counts.transfers + counts.reads, violations.all)
    }

    /// Whether an error belongs to a suspension, which another thread may begin at any time.
    private func isExpected(_ error: SQLiteError) -> Bool {
        suspends && (error.kind == .problem(DatabaseProblem.suspended) || error.kind == .interrupted(.suspension))
    }

    /// Whether an error belongs to the cancellation of a task.
    private static func isCancellation(_ error: any Error) -> Bool {
        error is CancellationError || (error as? SQLiteError)?.kind == .interrupted(.cancellation)
    }

    private static func transfer(
        on connection: Connection, _ source: Int, _ target: Int
    ) throws -> Int64 {
        try connection.run("UPDATE accounts SET balance = balance - 1 WHERE id = \(source)")
        try connection.run("UPDATE accounts SET balance = balance + 1 WHERE id = \(target)")
        return try connection.query("INSERT INTO journal(source, target) VALUES(\(source), \(target)) RETURNING id")
    }

    private func acknowledge(_ id: Int64) {
        acknowledged.withLock { ids in
            violations.expect(ids.insert(id).inserted, "transfer \(id) was acknowledged twice")
        }
        transferCount.add(1, ordering: .relaxed)
    }

    private func transferInThread(_ generator: inout SeededGenerator) throws {
        let (source, target) = (
            Int.random(in: 0..<Self.accounts, using: &generator), Int.random(in: 0..<Self.accounts, using: &generator)
        )
        acknowledge(try database.blocking.write { try Self.transfer(on: $0, source, target) })
    }

    private func checkSum() throws {
        let sum: Int = try database.blocking.read { try $0.query("SELECT sum(balance) FROM accounts") }
        violations.expect(sum == Self.sum, "a read has the sum \(sum)")
        readCount.add(1, ordering: .relaxed)
    }

    private func maintain(_ generator: inout SeededGenerator) throws {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            _ = try database.blocking.checkpoint(.passive)
        case 1:
            let copy = try Connection()
            try database.blocking.read { try $0.backup(to: copy).run() }
            let sum: Int = try copy.query("SELECT sum(balance) FROM accounts")
            violations.expect(sum == Self.sum, "a backup has the sum \(sum)")
        case 2:
            let snapshot = try database.blocking.snapshot()
            let counts = try (0..<2).map { _ in
                try snapshot.blocking.read { try $0.query("SELECT count(*) FROM journal") as Int }
            }
            violations.expect(counts[0] == counts[1], "a snapshot has seen \(counts)")
            try snapshot.close()
        case 3 where suspends:
            try database.blocking.suspend(interruptingAfter: .milliseconds(2))
            try database.blocking.resume()
        default:
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    private func runTask(_ generator: SeededGenerator) async {
        var generator = generator
        while !isDone.load(ordering: .relaxed) {
            let (source, target) = (
                Int.random(in: 0..<Self.accounts, using: &generator),
                Int.random(in: 0..<Self.accounts, using: &generator)
            )
            let cancelsAfter =
                Int.random(in: 0..<4, using: &generator) == 0
                ? Duration.microseconds(Int.random(in: 0..<3000, using: &generator)) : nil
            let task = Task { [self] in
                let id = try await database.write { try Self.transfer(on: $0, source, target) }
                acknowledge(id)
                let sum: Int = try await database.read(deadline: .seconds(600)) {
                    try $0.query("SELECT sum(balance) FROM accounts")
                }
                violations.expect(sum == Self.sum, "an asynchronous read has the sum \(sum)")
                readCount.add(1, ordering: .relaxed)
            }
            if let cancelsAfter {
                try? await Task.sleep(for: cancelsAfter)
                task.cancel()
            }
            do {
                try await task.value
            } catch  where cancelsAfter != nil && Self.isCancellation(error) {
            } catch let error as SQLiteError where isExpected(error) {
            } catch {
                violations.add("task, cancelled: \(cancelsAfter != nil): \(error)")
            }
        }
    }

    /// Follows the number of transfers, which never falls, until the task is cancelled. After a suspension, it begins again.
    private func follow() async {
        var last = 0
        while !Task.isCancelled {
            do {
                for try await count in database.observe("SELECT count(*) FROM journal", as: Int.self) {
                    violations.expect(count >= last, "an observer saw \(count) after \(last)")
                    last = count
                    observedCount.store(count, ordering: .relaxed)
                }
                violations.expect(Task.isCancelled, "an observation has ended")
            } catch  where Task.isCancelled && Self.isCancellation(error) {
            } catch let error as SQLiteError where isExpected(error) {
                try? await Task.sleep(for: .milliseconds(1))
            } catch {
                return violations.add("observer: \(error)")
            }
        }
    }

    /// Waits until the observer has seen all transfers.
    private func checkObserver() throws {
        let count: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM journal") }
        let end = ContinuousClock.now + .seconds(120)
        while observedCount.load(ordering: .relaxed) != count, ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.01)
        }
        let seen = observedCount.load(ordering: .relaxed)
        violations.expect(seen == count, "the observer saw \(seen) of \(count) transfers at the end")
    }

    private func checkEnd() throws {
        let connection = try database.blocking.read { connection in
            try (
                sum: connection.query("SELECT sum(balance) FROM accounts") as Int,
                journal: Set(connection.query("SELECT id FROM journal") as [Int64]),
                problems: connection.integrityCheck()
            )
        }
        violations.expect(connection.sum == Self.sum, "the sum at the end is \(connection.sum)")
        let lost = acknowledged.withLock { $0.subtracting(connection.journal) }
        violations.expect(lost.isEmpty, "\(lost.count) acknowledged transfers are lost")
        violations.expect(connection.problems.isEmpty, "the file is damaged: \(connection.problems)")
        try database.blocking.close()
    }
}
