import SquallSQLite
import Foundation
import GRDB
import Squall

/// A database with one number, which can be observed.
protocol ObservableCounter: Sendable {
    init(_ path: String) throws

    /// Sets the number in a transaction.
    func set(_ number: Int, beforeCommit: () -> Void) throws

    /// Passes on the number of a table, now and after each change.
    func observe(_ numbers: ReceivedNumbers, table: String) async throws
}

extension ObservableCounter {
    func observe(_ numbers: ReceivedNumbers) async throws { try await observe(numbers, table: "counter") }
}

extension Fixtures {
    /// The path of a fresh database with the number 0.
    func counter(for row: String, _ side: Benchmark.Side) throws -> String {
        let path = freshFile(for: row, side)
        try CDatabase(path).execute("CREATE TABLE counter(number INTEGER); INSERT INTO counter VALUES(0)")
        return path
    }
}

/// A counter and a task that observes it, until it is released.
final class ObservedCounter {
    private let numbers = ReceivedNumbers()
    private let task: Task<Void, any Error>
    private let start = Clock.wall.now
    private var number = 0

    init(_ counter: some ObservableCounter) {
        task = Task.detached { [numbers] in try await counter.observe(numbers) }
    }

    deinit { task.cancel() }

    /// The nanoseconds from the beginning to the arrival of the first value.
    var timeToFirst: UInt64 {
        get throws { try numbers.wait(for: 0) - start }
    }

    /// Returns the nanoseconds from `now` to the arrival of the value, for each commit, in ascending order.
    ///
    /// - Parameter set: Sets the number, and calls `now` before it commits.
    func latencies(count: Int, set: (_ number: Int, _ now: () -> Void) throws -> Void) throws -> [UInt64] {
        if number == 0 { _ = try numbers.wait(for: 0) }
        return try (1...count).map { _ in
            number += 1
            var start: UInt64 = 0
            try set(number) { start = Clock.wall.now }
            return try numbers.wait(for: number) - start
        }.sorted()
    }
}

// MARK: - The three sides

/// Resumes a task after each commit, which reads the number.
final class CCounter: ObservableCounter, @unchecked Sendable {
    // The writer is used by one thread, the reader by one task.
    private let (writer, reader): (CDatabase, CDatabase)
    private let (begin, update, commit): (CStatement, CStatement, CStatement)
    private let select: CStatement
    private let (commits, continuation) = AsyncStream.makeStream(of: Void.self)

    init(_ path: String) throws {
        writer = try CDatabase(path, synchronous: "OFF")
        reader = try CDatabase(path)
        begin = try writer.prepare("BEGIN IMMEDIATE")
        update = try writer.prepare("UPDATE counter SET number = ?")
        commit = try writer.prepare("COMMIT")
        select = try reader.prepare("SELECT number FROM counter")
    }

    deinit {
        for statement in [begin, update, commit, select] { sqlite3_finalize(statement.handle) }
    }

    func set(_ number: Int, beforeCommit: () -> Void) throws {
        try begin.run()
        sqlite3_bind_int64(update.handle, 1, Int64(number))
        try update.run()
        beforeCommit()
        try commit.run()
        continuation.yield()
    }

    func observe(_ numbers: ReceivedNumbers, table: String) async throws {
        try select.forEachRow { numbers.receive(select.integer(0)) }
        for await _ in commits {
            try select.forEachRow { numbers.receive(select.integer(0)) }
        }
    }
}

struct SquallCounter: ObservableCounter {
    private let database: Squall.Database

    init(_ path: String) throws { database = try .toWrite(path) }

    func set(_ number: Int, beforeCommit: () -> Void) throws {
        try database.blocking.write { connection in
            try connection.run("UPDATE counter SET number = \(number)")
            beforeCommit()
        }
    }

    func observe(_ numbers: ReceivedNumbers, table: String) async throws {
        let values = database.observe("SELECT number FROM \(name: table)", as: Int.self)
        for try await number in values { numbers.receive(number) }
    }
}

struct GRDBCounter: ObservableCounter {
    private let pool: DatabasePool

    init(_ path: String) throws { pool = try .toWrite(path) }

    func set(_ number: Int, beforeCommit: () -> Void) throws {
        try pool.write { database in
            try database.cachedStatement(sql: "UPDATE counter SET number = ?").execute(arguments: [number])
            beforeCommit()
        }
    }

    func observe(_ numbers: ReceivedNumbers, table: String) async throws {
        let observation = ValueObservation.tracking {
            try Int.fetchOne($0.cachedStatement(sql: "SELECT number FROM \(table)")) ?? -1
        }
        for try await number in observation.values(in: pool) { numbers.receive(number) }
    }
}
