import Foundation
import LaboratorySupport
import Squall

/// Blocking reads, writes and deadlines while every thread of the global queues is blocked.
///
/// Asynchronous calls are not among them: on Linux, the tasks of Swift run on the threads of these queues.
enum BlockedQueues {
    static func run(file: String) throws -> (points: Int, violations: [String]) {
        let database = try Database(file)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a INTEGER)") }
        let violations = Violations()
        let release = DispatchSemaphore(value: 0)
        // More than the threads that libdispatch makes.
        let blockedCount = 600
        for _ in 0..<blockedCount { DispatchQueue.global().async { release.wait() } }
        defer { for _ in 0..<blockedCount { release.signal() } }

        let threads = DispatchGroup()
        let threadCount = 8
        for number in 0..<threadCount {
            threads.enter()
            Thread.detachNewThread {
                do {
                    for _ in 0..<20 {
                        try database.blocking.write { try $0.run("INSERT INTO t VALUES(\(number))") }
                        let _: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
                    }
                } catch {
                    violations.add("\(error)")
                }
                threads.leave()
            }
        }
        violations.expect(threads.wait(timeout: .now() + 60) == .success, "the threads did not end within 60 s")
        let count: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM t") }
        violations.expect(count == threadCount * 20, "\(count) of \(threadCount * 20) rows")
        try checkDeadlines(of: database, violations)
        return (threadCount * 40 + 2, violations.all)
    }

    /// A deadline ends a query that does not end, and a wait for a writer that does not end.
    private static func checkDeadlines(of database: Database, _ violations: Violations) throws {
        let clock = ContinuousClock()
        func expectDeadline(_ name: String, _ body: () throws -> Void) {
            let start = clock.now
            do {
                try body()
                violations.add("\(name) has ended without an error")
            } catch let error as SQLiteError where error.resultCode == .interrupt || error.resultCode == .busy {
                let duration = clock.now - start
                violations.expect(duration < .seconds(20), "\(name): a deadline of 0.2 s took \(duration)")
            } catch {
                violations.add("\(name): \(error)")
            }
        }
        expectDeadline("a query") {
            let _: Int = try database.blocking.read(deadline: .milliseconds(200)) {
                try $0.query("WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        let (began, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            do {
                try database.blocking.writeWithoutTransaction { _ in
                    began.signal()
                    end.wait()
                }
            } catch {
                violations.add("the write that others wait for: \(error)")
            }
        }
        defer { end.signal() }
        guard began.wait(timeout: .now() + 30) == .success else {
            return violations.add("a write did not begin within 30 s")
        }
        expectDeadline("a wait for the writer") {
            try database.blocking.writeWithoutTransaction(deadline: .milliseconds(200)) { try $0.run("INSERT INTO t VALUES(0)") }
        }
    }
}
