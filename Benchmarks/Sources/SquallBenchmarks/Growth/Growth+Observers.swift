import SquallSQLite
import Foundation
import GRDB
import Squall

// Commits while more and more observers wait for values: of as many other tables, or of the one that is written.

extension Growth {
    private static let sizes = [1, 3, 10, 30, 100, 300, 1000]

    static let unrelatedObservers: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "unrelated-observers", "Observers of other tables", quantity: "observers",
            operation: "commit (C: without observers)")
        let count = 200
        for size in sizes {
            let others = (0..<size).map { "other\($0)" }
            func file(_ side: Benchmark.Side) throws -> String {
                let path = try fixtures.counter(for: "growth-observers", side)
                let tables = others.map { "CREATE TABLE \($0)(number INTEGER); INSERT INTO \($0) VALUES(0);" }
                try CDatabase(path).execute("BEGIN; \(tables.joined()) COMMIT")
                return path
            }
            let c = try CCounter(file(.c))
            let squall = try SquallCounter(file(.squall))
            let grdb = try GRDBCounter(file(.grdb))
            let observed = try (ManyObservers(squall, tables: others), ManyObservers(grdb, tables: others))
            func commits(_ counter: some ObservableCounter) throws -> UInt64 {
                try time {
                    for number in 1...count { try counter.set(number) {} }
                }
            }
            try panel.measure(
                size, operations: count, rounds: rounds,
                [.c: { try commits(c) }, .squall: { try commits(squall) }, .grdb: { try commits(grdb) }])
            withExtendedLifetime(observed) {}
        }
        return panel
    }

    /// On the C side, one reader runs the query of each observer after the commit, and resumes its task.
    static let concernedObservers: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "concerned-observers", "Observers of the written table", quantity: "observers",
            operation: "commit until the last value, per observer")
        for size in sizes {
            let tables = Array(repeating: "counter", count: size)
            let c = try CManyCounter(fixtures.counter(for: "growth-observers", .c))
            let squall = try SquallCounter(fixtures.counter(for: "growth-observers", .squall))
            let grdb = try GRDBCounter(fixtures.counter(for: "growth-observers", .grdb))
            let observers = try (
                ManyObservers(c, tables: tables), ManyObservers(squall, tables: tables),
                ManyObservers(grdb, tables: tables)
            )
            let count = max(1, 100 / size)
            var number = 0
            func values(_ counter: some ObservableCounter, _ observers: ManyObservers) -> () throws -> UInt64 {
                {
                    try time {
                        for _ in 1...count {
                            number += 1
                            try counter.set(number) {}
                            try observers.wait(for: number)
                        }
                    }
                }
            }
            try panel.measure(
                size, operations: size * count, rounds: rounds,
                [
                    .c: values(c, observers.0), .squall: values(squall, observers.1),
                    .grdb: values(grdb, observers.2),
                ])
        }
        return panel
    }
}

/// Observers of the first number of tables, one each, until they are released.
private final class ManyObservers {
    private let tasks: [Task<Void, any Error>]
    private let observers: [ReceivedNumbers]

    init(_ counter: some ObservableCounter, tables: [String]) throws {
        let observers = tables.map { _ in ReceivedNumbers() }
        tasks = zip(tables, observers).map { table, observer in
            Task.detached { try await counter.observe(observer, table: table) }
        }
        self.observers = observers
        try wait(for: 0)
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    func wait(for number: Int) throws {
        for observer in observers { _ = try observer.wait(for: number) }
    }
}

/// Runs the query of each observer after each commit, and resumes the observer's task.
private final class CManyCounter: ObservableCounter, @unchecked Sendable {
    // The counter is used by one thread, the observers under the lock.
    private let counter: CCounter
    private let reader: CDatabase
    private let select: CStatement
    private let lock = NSLock()
    private var observers: [AsyncStream<Int>.Continuation] = []

    init(_ path: String) throws {
        counter = try CCounter(path)
        reader = try CDatabase(path)
        select = try reader.prepare("SELECT number FROM counter")
    }

    deinit { sqlite3_finalize(select.handle) }

    func set(_ number: Int, beforeCommit: () -> Void) throws {
        try counter.set(number, beforeCommit: beforeCommit)
        try lock.withLock {
            for observer in observers { try pass(to: observer) }
        }
    }

    func observe(_ numbers: ReceivedNumbers, table: String) async throws {
        let (values, continuation) = AsyncStream.makeStream(of: Int.self)
        try lock.withLock {
            try pass(to: continuation)
            observers.append(continuation)
        }
        for await number in values { numbers.receive(number) }
    }

    private func pass(to observer: AsyncStream<Int>.Continuation) throws {
        try select.forEachRow { observer.yield(select.integer(0)) }
    }
}
