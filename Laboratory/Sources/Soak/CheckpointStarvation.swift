import Foundation
import Squall
import Synchronization

/// Readers that overlap, so that SQLite can never begin the log again, beside a writer. `logLimit` holds.
enum CheckpointStarvation {
    static func run(file: String, megabytes: Int) throws -> (points: Int, violations: [String]) {
        let limit = 8_000_000
        var configuration = Configuration.recommended
        configuration.logLimit = limit
        let database = try Database(file, configuration: configuration)
        try database.executeWrite { try $0.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        let isDone = Atomic<Bool>(false)
        let violations = Violations()
        let threads = DispatchGroup()
        for number in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                while !isDone.load(ordering: .relaxed) {
                    do {
                        let _: Int = try database.executeRead {
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
        let bytesOfTransaction = 100_000
        var largest = 0
        for number in 0..<(megabytes * 10) {
            try database.executeWrite {
                try $0.run("INSERT OR REPLACE INTO t VALUES(\(number % 100), randomblob(\(bytesOfTransaction)))")
            }
            largest = max(largest, database.statistics.walSize)
        }
        isDone.store(true, ordering: .relaxed)
        threads.wait()
        // One transaction, with the pages of the tree.
        violations.expect(largest <= limit + bytesOfTransaction * 3, "the log grew to \(largest) bytes")
        return (megabytes * 10, violations.all)
    }
}
