import SquallSQLite
import Foundation
import GRDB
import Squall

// 100,000 inserts of three values in ten transactions, while nobody observes the database, one observer of another table does,
// and 100 observers of 100 other tables do. Where there are observers, Squall without them stands in the column of C.

private let cars = "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)"
private let others = (0..<100).map { "CREATE TABLE other\($0)(id INTEGER PRIMARY KEY)" }

/// A database, and tasks that observe it until it is released.
private final class ObservedDatabase<Base: Sendable> {
    let path: String
    let base: Base
    private let tasks: [Task<Void, any Error>]

    /// Waits until each observer has its first value.
    ///
    /// - Parameter observe: Observes a table, and passes on the number of its rows.
    init(
        _ path: String, _ base: Base, tables: [String],
        observe: @escaping @Sendable (Base, String, ReceivedNumbers) async throws -> Void
    ) throws {
        self.path = path
        self.base = base
        let observers = tables.map { table in
            let numbers = ReceivedNumbers()
            return (Task.detached { try await observe(base, table, numbers) }, numbers)
        }
        tasks = observers.map(\.0)
        for observer in observers { _ = try observer.1.wait(for: 0) }
    }

    deinit {
        for task in tasks { task.cancel() }
    }
}

extension Squall.Database {
    static func toWrite(_ path: String) throws -> Squall.Database {
        var configuration = Squall.Configuration.recommended
        configuration.synchronous = .off
        return try Squall.Database(path, configuration: configuration)
    }

    fileprivate func insertCars() throws {
        for thousand in 0..<10 {
            try blocking.write { connection in
                let statement = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
                for id in 1...scaled(10_000) {
                    try statement.bind(thousand * 10_000 + id, "Mercedes", 50_000 + id).run()
                }
            }
        }
    }
}

extension DatabasePool {
    static func toWrite(_ path: String) throws -> DatabasePool {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return try DatabasePool(path: path, configuration: configuration)
    }

    fileprivate func insertCars() throws {
        for thousand in 0..<10 {
            try write { database in
                let statement = try database.makeStatement(sql: "INSERT INTO cars VALUES(?, ?, ?)")
                for id in 1...scaled(10_000) {
                    try statement.execute(arguments: [thousand * 10_000 + id, "Mercedes", 50_000 + id])
                }
            }
        }
    }
}

extension CDatabase {
    fileprivate func insertCars() throws {
        let statement = try prepare("INSERT INTO cars VALUES(?, ?, ?)")
        for thousand in 0..<10 {
            try execute("BEGIN IMMEDIATE")
            for id in 1...scaled(10_000) {
                sqlite3_bind_int64(statement.handle, 1, Int64(thousand * 10_000 + id))
                sqlite3_bind_text(statement.handle, 2, "Mercedes", 8, nil)
                sqlite3_bind_int64(statement.handle, 3, Int64(50_000 + id))
                try statement.run()
            }
            try execute("COMMIT")
        }
        sqlite3_finalize(statement.handle)
    }
}

// MARK: - Inserts

extension Benchmark {
    /// - Parameter tables: The tables that are observed.
    private static func inserts(
        _ name: String, observing tables: [String], toC: Double, isVariant: Bool = false
    ) -> Benchmark {
        Benchmark(name: name, toC: toC, toGRDB: 0.75, isVariant: isVariant) { fixtures in
            func cell<Context>(
                _ side: Side, open: @escaping (String) throws -> Context, path: @escaping (Context) -> String,
                work: @escaping (Context) throws -> Void
            ) -> Cell {
                Cell(
                    before: {
                        let path = fixtures.freshFile(for: name, side)
                        try CDatabase(path).execute(([cars] + others).joined(separator: ";"))
                        return try open(path)
                    },
                    work: { try work($0) },
                    check: { context, _ in try CDatabase.checksum(of: path(context), "SELECT * FROM cars") }
                )
            }
            func squall(_ side: Side, observing tables: [String]) -> Cell {
                cell(
                    side,
                    open: { path in
                        try ObservedDatabase(path, try Squall.Database.toWrite(path), tables: tables) {
                            let values = $0.observe("SELECT count(*) FROM \(raw: $1)", as: Int.self)
                            for try await count in values { $2.receive(count) }
                        }
                    }, path: \.path, work: { try $0.base.insertCars() })
            }
            let c = cell(
                .c, open: { ($0, try CDatabase($0, synchronous: "OFF")) }, path: { $0.0 },
                work: { try $0.1.insertCars() })
            return [
                .c: tables.isEmpty ? c : squall(.c, observing: []),
                .squall: squall(.squall, observing: tables),
                .grdb: cell(
                    .grdb,
                    open: { path in
                        try ObservedDatabase(path, try DatabasePool.toWrite(path), tables: tables) {
                            pool, table, numbers in
                            let observation = ValueObservation.tracking {
                                try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1
                            }
                            for try await count in observation.values(in: pool) { numbers.receive(count) }
                        }
                    }, path: \.path, work: { try $0.base.insertCars() }),
            ]
        }
    }

    static let observation = [
        inserts("observe-none", observing: [], toC: 1.12),
        inserts("observe-one-unrelated", observing: ["other0"], toC: 1.05),
        inserts("observe-100-unrelated", observing: (0..<100).map { "other\($0)" }, toC: 1.10),
        inserts("observe-one-concerned", observing: ["cars"], toC: 1.10, isVariant: true),
        latency, startInWrite,
    ]
}

// MARK: - Latencies

extension Benchmark {
    /// From just before the commit to the arrival of the value, half of 500 times. In the column of C, a task that is resumed after the
    /// commit reads the number with a prepared statement.
    fileprivate static let latency = Benchmark(name: ObservationReport.latency, toGRDB: 0.30) { fixtures in
        func cell<Counter: ObservableCounter>(_ side: Side, _: Counter.Type) -> Cell {
            Cell(measuring: {
                let counter = try Counter(fixtures.counter(for: ObservationReport.latency, side))
                let latencies = try ObservedCounter(counter).latencies(count: 500) { number, now in
                    try counter.set(number, beforeCommit: now)
                }
                ObservationReport.add(latencies, side)
                return latencies[250]
            })
        }
        return [
            .c: cell(.c, CCounter.self), .squall: cell(.squall, SquallCounter.self),
            .grdb: cell(.grdb, GRDBCounter.self),
        ]
    }

    /// From the beginning of an observation to its first value, while a write is under way, which ends after it.
    fileprivate static let startInWrite = Benchmark(name: "observe-start-in-write") { fixtures in
        func cell<Counter: ObservableCounter>(_ side: Side, _: Counter.Type) -> Cell {
            Cell(measuring: {
                let counter = try Counter(fixtures.counter(for: "observe-start-in-write", side))
                let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let hasEnded = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    try? counter.set(1) {
                        hasBegun.signal()
                        mayEnd.wait()
                    }
                    hasEnded.signal()
                }
                hasBegun.wait()
                defer {
                    mayEnd.signal()
                    hasEnded.wait()
                }
                return try ObservedCounter(counter).timeToFirst
            })
        }
        return [
            .c: cell(.c, CCounter.self), .squall: cell(.squall, SquallCounter.self),
            .grdb: cell(.grdb, GRDBCounter.self),
        ]
    }
}

// MARK: - What the table does not show

/// Latencies, commits of other connections, and the cost of waiting.
enum ObservationReport {
    static let latency = "observe-latency"

    /// The latencies of the last round of each side, in nanoseconds.
    nonisolated(unsafe) private static var latencies: [Benchmark.Side: [UInt64]] = [:]

    fileprivate static func add(_ sorted: [UInt64], _ side: Benchmark.Side) { latencies[side] = sorted }

    static func report(_ rows: [Benchmark], _ fixtures: Fixtures) throws {
        guard rows.contains(where: { $0.name == latency }) else { return }
        for (side, values) in latencies.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("\(latency), \(side): \(percentiles(values))")
        }
        let path = try fixtures.counter(for: "observe-others", .squall)
        let observed = ObservedCounter(try SquallCounter(path))
        let other = try Connection.toWrite(path)
        func externalCommits(_ count: Int, after pause: TimeInterval) throws -> [UInt64] {
            try observed.latencies(count: count) { number, now in
                Thread.sleep(forTimeInterval: pause)
                now()
                try other.run("UPDATE counter SET number = \(number)")
            }
        }
        print("commits of another connection, one after the other: \(percentiles(try externalCommits(200, after: 0)))")
        print(
            "commits of another connection, after two quiet seconds: \(percentiles(try externalCommits(8, after: 2)))")
        Thread.sleep(forTimeInterval: 2)
        let before = Clock.cpu.now
        Thread.sleep(forTimeInterval: 2)
        let share = Double(Clock.cpu.now - before) / 2e9
        print(String(format: "CPU time of the process while an observer waits: %.3f %%", share * 100))
    }

    private static func percentiles(_ sorted: [UInt64]) -> String {
        func percentile(_ share: Double) -> String {
            let nanoseconds = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            return String(format: "%.1f µs", Double(nanoseconds) / 1000)
        }
        return "p50 \(percentile(0.5)), p99 \(percentile(0.99)), highest \(percentile(1))"
    }
}
