import Squall

/// Tasks whose executor runs each job at once, in the thread that resumes the task.
enum InlineExecutors {
    private final class InlineExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    static func run(file: String, count: Int) throws -> (points: Int, violations: [String]) {
        let database = try Database(file)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a INTEGER)") }
        let violations = Violations()
        let executor = InlineExecutor()
        let total = try waitForTask(atMost: 120) {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask(executorPreference: executor) {
                        do {
                            try await database.write { try $0.run("INSERT INTO t VALUES(\(number))") }
                            let _: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
                        } catch {
                            violations.add("\(error)")
                        }
                    }
                }
            }
            return try await database.read { try $0.query("SELECT count(DISTINCT a) FROM t") as Int }
        }
        violations.expect(total != nil, "the tasks did not end within 120 s")
        violations.expect(total == nil || total == count, "\(total ?? 0) of \(count) rows")
        return (count, violations.all)
    }
}
