import Foundation
import Squall
import Synchronization

/// Readers that overlap, so that SQLite seldom begins the log again, beside a writer. `logLimit` holds.
///
/// The first read lasts until the log has exceeded the limit, which without it would depend on the speed of the machine.
enum CheckpointStarvation {
    private static let limit = 8_000_000
    private static let bytesOfTransaction = 100_000

    static func run(file: String, megabytes: Int) throws -> (points: Int, violations: [String]) {
        var configuration = Configuration.recommended
        configuration.logLimit = limit
        let database = try Database(file, configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        let isDone = Atomic(false)
        let hasExceeded = Atomic(false)
        let isBlocked = Atomic(false)
        let violations = Violations()
        database.addEventObserver { if case .logLimitExceeded = $0 { isBlocked.store(true, ordering: .relaxed) } }
        let threads = DispatchGroup()
        let hasBegun = DispatchSemaphore(value: 0)
        threads.enter()
        Thread.detachNewThread {
            do {
                try database.blocking.read { connection in
                    try connection.run("SELECT count(*) FROM t")
                    hasBegun.signal()
                    while !hasExceeded.load(ordering: .relaxed) { usleep(100) }
                }
            } catch {
                violations.add("the first read: \(error)")
                hasBegun.signal()
            }
            threads.leave()
        }
        hasBegun.wait()
        for number in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                while !isDone.load(ordering: .relaxed) {
                    do {
                        let _: Int = try database.blocking.read {
                            try $0.query("SELECT count(*) + coalesce(sum(length(a)), 0) FROM t")
                        }
                    } catch {
                        violations.add("reader \(number): \(error)")
                        break
                    }
                }
                threads.leave()
            }
        }
        var log = LogSizes(file: file)
        var number = 0
        while number < megabytes * 10 || log.truncations == 0 && log.largest < 20 * limit {
            number += 1
            try database.blocking.writeWithoutTransaction { connection in
                try connection.run(
                    "INSERT OR REPLACE INTO t VALUES(\(number % 100), randomblob(\(bytesOfTransaction)))")
                // The transaction has ended. The log is truncated after the closure.
                try log.add()
                if log.largest > limit { hasExceeded.store(true, ordering: .relaxed) }
            }
            try log.add()
        }
        isDone.store(true, ordering: .relaxed)
        hasExceeded.store(true, ordering: .relaxed)
        threads.wait()
        // A read that takes more than a second, as on a machine that stands still, blocks an attempt to truncate the log.
        violations.expect(
            log.largest <= limit + log.largestGrowth || isBlocked.load(ordering: .relaxed),
            "the log grew to \(log.largest) bytes, with transactions of at most \(log.largestGrowth)")
        // The new pages, and the old ones where SQLite is built to overwrite them, with those of the tree.
        violations.expect(log.largestGrowth <= bytesOfTransaction * 3, "a transaction has \(log.largestGrowth) bytes")
        violations.expect(log.largest > limit, "the log did not reach its limit: \(log.largest) bytes")
        violations.expect(log.truncations > 0, "the log was not truncated")
        return (number, violations.all)
    }
}

/// The sizes of a write-ahead log, as the file system has them.
private struct LogSizes {
    private let path: String
    private var last = 0
    private(set) var largest = 0
    /// The largest difference from one size to the next.
    private(set) var largestGrowth = 0
    private(set) var truncations = 0

    init(file: String) {
        path = file + "-wal"
    }

    mutating func add() throws {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        largest = max(largest, size)
        largestGrowth = max(largestGrowth, size - last)
        if size < last { truncations += 1 }
        last = size
    }
}
