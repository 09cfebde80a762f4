import Foundation
import GRDB
import Squall

// Tasks that wait for four connections that read, or for the one that writes. On the C side, each connection has a serial
// dispatch queue.

extension Growth {
    private static let sizes = [1, 4, 16, 64, 256, 1024, 4096]
    private static let calls = 4096

    static let readingTasks: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "reading-tasks", "Tasks that wait to read", quantity: "tasks", operation: "asynchronous look-up")
        let databases = try Databases(fixtures.cars(), maximumReaders: 4)
        let c = try (0..<4).map { _ in try CReader(databases.path) }
        let queues = (0..<4).map { DispatchQueue(label: "C \($0)") }
        let keys = keys(calls, upTo: 100_000)
        for size in sizes {
            try panel.measure(
                size, operations: calls, rounds: rounds,
                [
                    .c: {
                        try time(tasks: size) { task, call in
                            let (reader, key) = (c[task % 4], keys[call])
                            return try await queues[task % 4].run { try reader.price(key) }
                        }
                    },
                    .squall: {
                        try time(tasks: size) { _, call in
                            let key = keys[call]
                            return try await databases.squall.read {
                                try $0.query("SELECT price FROM cars WHERE id = ?", key)
                            }
                        }
                    },
                    .grdb: {
                        try time(tasks: size) { _, call in
                            let key = keys[call]
                            return try await databases.grdb.read {
                                try Int.fetchOne(
                                    $0.cachedStatement(sql: "SELECT price FROM cars WHERE id = ?"), arguments: [key])
                                    ?? 0
                            }
                        }
                    },
                ])
        }
        return panel
    }

    static let writingTasks: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "writing-tasks", "Tasks that wait to write", quantity: "tasks", operation: "asynchronous transaction")
        func copy(_ side: Benchmark.Side) throws -> String {
            let path = fixtures.freshFile(for: "growth-writing-tasks", side)
            try FileManager.default.copyItem(atPath: fixtures.cars(), toPath: path)
            return path
        }
        let c = try CWriter(copy(.c))
        let queue = DispatchQueue(label: "C")
        let squall = try Squall.Database(copy(.squall))
        let grdb = try DatabasePool(path: copy(.grdb))
        for size in sizes {
            try panel.measure(
                size, operations: calls, rounds: rounds,
                [
                    .c: {
                        try time(tasks: size) { _, _ in
                            try await queue.run {
                                try c.write()
                                return 1
                            }
                        }
                    },
                    .squall: {
                        try time(tasks: size) { _, _ in
                            try await squall.write {
                                try $0.run("UPDATE cars SET name = ? WHERE id = 1", "a new name")
                                return 1
                            }
                        }
                    },
                    .grdb: {
                        try time(tasks: size) { _, _ in
                            try await grdb.write {
                                try $0.cachedStatement(sql: "UPDATE cars SET name = ? WHERE id = 1")
                                    .execute(arguments: ["a new name"])
                                return 1
                            }
                        }
                    },
                ])
        }
        return panel
    }

    /// Makes the calls in so many tasks at once, one after the other in each.
    private static func time(
        tasks: Int, _ call: @escaping @Sendable (_ task: Int, _ call: Int) async throws -> Int
    ) throws -> UInt64 {
        try time {
            _ = try inTask {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for task in 0..<tasks {
                        group.addTask {
                            var sum = 0
                            for number in stride(from: task, to: calls, by: tasks) {
                                sum &+= try await call(task, number)
                            }
                            return sum
                        }
                    }
                    return try await group.reduce(0, &+)
                }
            }
        }
    }
}

extension DispatchQueue {
    /// Runs a closure on the queue. The task waits without a thread.
    fileprivate func run(_ body: @escaping @Sendable () throws -> Int) async throws -> Int {
        try await withUnsafeThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}
