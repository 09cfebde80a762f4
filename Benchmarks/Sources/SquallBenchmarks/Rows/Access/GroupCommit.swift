import SquallSQLite
import Foundation
import GRDB
import Squall

// 16 tasks that write, each transaction flushed to the disk (synchronous = FULL). The C side commits each by itself, from one
// thread: the least that a transaction of its own can take.

extension Benchmark {
    private static let tasks = 16
    private static let writesPerTask = 100
    private static let insert = "INSERT INTO log(text) VALUES(?)"

    private static func concurrentWrites(_ name: String, grouped: Bool, toC: Double) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            /// A pool sets NORMAL when it opens its connection that writes.
            func flushing(_ pool: DatabasePool) throws -> DatabasePool {
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                return pool
            }
            func inTasks(_ write: @escaping @Sendable () async throws -> Void) throws {
                try inTask {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<tasks {
                            group.addTask { for _ in 0..<writesPerTask { try await write() } }
                        }
                        try await group.waitForAll()
                    }
                }
            }
            var recommended = Squall.Configuration.recommended
            recommended.synchronous = .full
            recommended.groupCommit = grouped
            let squall = recommended
            return [
                .c: .writingLog(name, .c, fixtures, open: { try CDatabase($0, synchronous: "FULL") }) { database in
                    let statements = try ["BEGIN IMMEDIATE", insert, "COMMIT"].map { try database.prepare($0) }
                    for _ in 0..<tasks * writesPerTask {
                        try statements[0].run()
                        sqlite3_bind_text(statements[1].handle, 1, "a line of the log", 17, nil)
                        try statements[1].run()
                        try statements[2].run()
                    }
                    for statement in statements { sqlite3_finalize(statement.handle) }
                },
                .squall: .writingLog(name, .squall, fixtures, open: { try Squall.Database($0, configuration: squall) })
                { database in
                    try inTasks {
                        try await database.write {
                            try $0.run("INSERT INTO log(text) VALUES(?)", "a line of the log")
                        }
                    }
                },
                .grdb: .writingLog(name, .grdb, fixtures, open: { try flushing(DatabasePool(path: $0)) }) { pool in
                    try inTasks {
                        try await pool.write {
                            try $0.cachedStatement(sql: insert).execute(arguments: ["a line of the log"])
                        }
                    }
                },
            ]
        }
    }

    static let groupCommit = [
        concurrentWrites("access-16-tasks-write", grouped: false, toC: 1.5),
        concurrentWrites("access-16-tasks-write-grouped", grouped: true, toC: 0.3),
    ]
}
