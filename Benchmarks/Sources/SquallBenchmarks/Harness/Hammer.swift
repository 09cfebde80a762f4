import SquallSQLite
import Foundation
import Squall
import Synchronization

/// Readers of a database that keeps its read transactions, beside writers and checkpoints of it and of other connections. Each
/// read must return at least what had been acknowledged when it began. A control, whose transaction is never renewed, must fail.
enum Hammer {
    private struct Counts {
        var reads = 0
        var stale = 0

        static func += (sum: inout Counts, other: Counts) {
            sum.reads += other.reads
            sum.stale += other.stale
        }
    }

    private final class State: Sendable {
        let acknowledged = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)

        func acknowledge(_ number: Int) {
            var known = acknowledged.load(ordering: .relaxed)
            while number > known {
                let (isExchanged, original) = acknowledged.compareExchange(
                    expected: known, desired: number, ordering: .sequentiallyConsistent)
                if isExchanged { return }
                known = original
            }
        }

        /// Reads until the time is over, or so often.
        func check(atMost reads: Int = .max, _ read: () throws -> Int) rethrows -> Counts {
            var counts = Counts()
            while counts.reads < reads, !isDone.load(ordering: .relaxed) {
                let least = acknowledged.load(ordering: .sequentiallyConsistent)
                if try read() < least { counts.stale += 1 }
                counts.reads += 1
            }
            return counts
        }
    }

    private static let increment: SQL = "UPDATE counter SET number = number + 1 RETURNING number"

    /// Runs for a time, and prints what was found.
    ///
    /// - Throws: `Failure` when a read was stale, or the control found none.
    static func run(seconds: Int, holdsReads: Bool, _ fixtures: Fixtures) throws {
        let path = fixtures.freshFile(for: "hammer", .squall)
        var configuration = Configuration.recommended
        configuration.heldReads = holdsReads
        let database = try Database(path, configuration: configuration)
        try database.blocking.write {
            try $0.execute("CREATE TABLE counter(number INTEGER); INSERT INTO counter VALUES(0)")
        }
        let state = State()
        let threads = DispatchGroup()
        let sums = Mutex((held: Counts(), control: Counts(), errors: [String]()))
        let largestLog = Atomic<Int>(0)
        let busyWrites = Atomic<Int>(0)
        let checkpoints = Atomic<Int>(0)
        let busyCheckpoints = Atomic<Int>(0)
        /// Writes, unless a checkpoint keeps the lock for longer than the busy timeout.
        @Sendable func write(_ body: () throws -> Int) throws {
            do {
                state.acknowledge(try body())
            } catch let error as SQLiteError where error.resultCode == .busy {
                busyWrites.add(1, ordering: .relaxed)
            }
        }
        func start(_ body: @escaping @Sendable () throws -> Void) {
            threads.enter()
            Thread.detachNewThread {
                do { try body() } catch { sums.withLock { $0.errors.append("\(error)") } }
                threads.leave()
            }
        }
        for _ in 0..<3 {
            start {
                let counts = try state.check {
                    try database.blocking.read { try $0.query("SELECT number FROM counter") }
                }
                sums.withLock { $0.held += counts }
            }
        }
        start {
            let old = try Connection(path)
            try old.execute("BEGIN")
            let number: Int = try old.query("SELECT number FROM counter")
            while state.acknowledged.load(ordering: .relaxed) <= number { usleep(100) }
            // Not for long, because the log grows meanwhile.
            let counts = try state.check(atMost: 100_000) { try old.query("SELECT number FROM counter") }
            sums.withLock { $0.control += counts }
            try old.execute("COMMIT")
        }
        start {
            while !state.isDone.load(ordering: .relaxed) {
                try write { try database.blocking.write { try $0.query(increment) } }
                usleep(UInt32.random(in: 0..<300))
            }
        }
        start {
            let other = try Connection(path)
            while !state.isDone.load(ordering: .relaxed) {
                // Flat out, with a pause now and then.
                for _ in 0..<Int.random(in: 1..<2000) { try write { try other.query(increment) } }
                usleep(UInt32.random(in: 0..<50_000))
            }
        }
        start {
            let other = try Connection(path)
            while !state.isDone.load(ordering: .relaxed) {
                let mode = Connection.CheckpointMode.allCases.randomElement() ?? .passive
                do {
                    if Bool.random() {
                        try database.blocking.checkpoint(mode)
                    } else {
                        checkpoints.add(1, ordering: .relaxed)
                        do {
                            _ = try other.checkpoint(mode: mode)
                        } catch let error as SQLiteError where error.resultCode == .busy {
                            busyCheckpoints.add(1, ordering: .relaxed)
                        }
                    }
                } catch let error as SQLiteError where error.resultCode == .busy {
                    // The control, or another checkpoint.
                }
                largestLog.store(
                    max(largestLog.load(ordering: .relaxed), database.statistics.walSize), ordering: .relaxed)
                usleep(UInt32.random(in: 0..<20_000))
            }
        }
        sleep(UInt32(seconds))
        state.isDone.store(true, ordering: .relaxed)
        threads.wait()
        let (held, control, errors) = sums.withLock { $0 }
        let statistics = database.statistics
        print(
            "\(held.reads) reads, \(statistics.continuedReads) of them continued a transaction, \(held.stale) stale;",
            "\(state.acknowledged.load(ordering: .relaxed)) commits; the log had at most",
            "\(largestLog.load(ordering: .relaxed) >> 10) KiB; busy after 5 s: \(busyWrites.load(ordering: .relaxed))",
            "writes, \(busyCheckpoints.load(ordering: .relaxed)) of \(checkpoints.load(ordering: .relaxed)) checkpoints",
            "of another connection; the control: \(control.stale) of \(control.reads) stale")
        guard errors.isEmpty else { throw Failure(errors.joined(separator: "\n")) }
        guard held.stale == 0 else { throw Failure("\(held.stale) reads were stale") }
        guard control.stale > 0 else { throw Failure("the control has found nothing") }
    }
}
