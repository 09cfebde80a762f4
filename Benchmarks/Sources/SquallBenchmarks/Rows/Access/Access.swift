import SquallSQLite
import Foundation
import GRDB
import Squall

// Many short reads and writes, from one thread and several. The C side has a connection for each thread, with BEGIN, COMMIT
// and its query prepared once; a bare hop to a dispatch queue and back stands for it where tasks are.

extension Benchmark {
    /// The target beside C is 0.5 µs over BEGIN and COMMIT: what the columns show, times 50,000.
    private static let emptyRead = Benchmark(name: "access-read-empty", toGRDB: 0.08) { fixtures in
        let databases = try Databases(fixtures.cars())
        let c = try CReader(databases.path)
        let count = scaled(50_000)
        return [
            .c: Cell { () -> Int in
                for _ in 0..<count {
                    try c.begin.run()
                    try c.commit.run()
                }
                return count
            },
            .squall: Cell { () -> Int in
                var sum = 0
                for _ in 0..<count { sum += try databases.squall.blocking.read { _ in 1 } }
                return sum
            },
            .grdb: Cell { () -> Int in
                var sum = 0
                for _ in 0..<count { sum += try databases.grdb.read { _ in 1 } }
                return sum
            },
        ]
    }

    /// Without held reads, the ratio to C is that of the library. With them, it is that of what C does not do.
    private static func readers(_ name: String, threads: Int, holdsReads: Bool, toC: Double) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            let databases = try Databases(fixtures.cars(), holdsReads: holdsReads)
            let c = try (0..<threads).map { _ in try CReader(databases.path) }
            let held = try (0..<threads).map { _ in try CHeldReader(databases.path) }
            return [
                .held: Cell {
                    try onThreads(threads) { number in
                        defer { try? held[number].end() }
                        return try accessKeys.reduce(0) { try $0 &+ held[number].price($1) }
                    }
                },
                .c: Cell {
                    try onThreads(threads) { number in
                        try accessKeys.reduce(0) { try $0 &+ c[number].price($1) }
                    }
                },
                .squall: Cell {
                    try onThreads(threads) { _ in try accessKeys.reduce(0) { try $0 &+ databases.squall.price($1) } }
                },
                .grdb: Cell {
                    try onThreads(threads) { _ in try accessKeys.reduce(0) { try $0 &+ databases.grdb.price($1) } }
                },
            ]
        }
    }

    /// In the C column, a hop to a serial dispatch queue and back.
    private static let asyncRead = Benchmark(name: "access-async-read-empty", toC: 1.30, toGRDB: 0.40) { fixtures in
        let databases = try Databases(fixtures.cars())
        let queue = DispatchQueue(label: "bare")
        let count = 5000
        return [
            .c: Cell {
                try inTask {
                    var sum = 0
                    for _ in 0..<count {
                        sum += await withUnsafeContinuation { continuation in
                            queue.async { continuation.resume(returning: 1) }
                        }
                    }
                    return sum
                }
            },
            .squall: Cell {
                try inTask {
                    var sum = 0
                    for _ in 0..<count { sum += try await databases.squall.read { _ in 1 } }
                    return sum
                }
            },
            .grdb: Cell {
                try inTask {
                    var sum = 0
                    for _ in 0..<count { sum += try await databases.grdb.read { _ in 1 } }
                    return sum
                }
            },
        ]
    }

    /// In the C column, the same look-ups by four threads, 250 each.
    private static let tasks = Benchmark(name: AccessReport.tasks) { fixtures in
        let databases = try Databases(fixtures.cars())
        let c = try (0..<4).map { _ in try CReader(databases.path) }
        return [
            .c: Cell {
                try onThreads(4) { number in
                    try accessKeys[..<1000].indices.reduce(0) { sum, index in
                        index % 4 == number ? try sum &+ c[number].price(accessKeys[index]) : sum
                    }
                }
            },
            .squall: Cell { try inTask { try await AccessReport.sumByTasks(databases.squall) } },
            .grdb: Cell {
                try inTask {
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for key in accessKeys[..<1000] {
                            group.addTask {
                                try await databases.grdb.read { database in
                                    try Int.fetchOne(
                                        database.cachedStatement(sql: priceOfCar), arguments: [key]) ?? 0
                                }
                            }
                        }
                        return try await group.reduce(0, &+)
                    }
                }
            },
        ]
    }

    /// In the C column, the same reads of a database without an observer.
    private static func observed(
        _ name: String, toC: Double, observe: @escaping @Sendable (Squall.Database) -> Void,
        read: @escaping @Sendable (Squall.Database) throws -> Int,
        readByGRDB: @escaping @Sendable (DatabasePool) throws -> Int
    ) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            let databases = try Databases(fixtures.cars())
            let (plain, observed) = (databases.squall, try Databases(fixtures.cars()).squall)
            observe(observed)
            let count = scaled(50_000)
            func sum(_ database: Squall.Database) throws -> Int {
                var sum = 0
                for _ in 0..<count { sum &+= try read(database) }
                return sum
            }
            return [
                .c: Cell { try sum(plain) },
                .squall: Cell { try sum(observed) },
                .grdb: Cell { try (0..<count).reduce(0) { sum, _ in try sum &+ readByGRDB(databases.grdb) } },
            ]
        }
    }

    /// The events are what `SquallMetrics` and `SquallLogging` observe, and slow statements what `SquallLogging` does.
    private static let observedReads = [
        observed("access-read-empty-metrics", toC: 1.05) {
            $0.addEventObserver { _ in }
        } read: {
            try $0.blocking.read { _ in 1 }
        } readByGRDB: {
            try $0.read { _ in 1 }
        },
        observed("access-read-lookup-slow-log", toC: 1.30) {
            $0.addSlowStatementObserver(from: .milliseconds(100)) { _ in }
        } read: {
            try $0.price(accessKeys[0])
        } readByGRDB: {
            try $0.price(accessKeys[0])
        },
    ]

    static let access: [Benchmark] =
        [
            emptyRead, asyncRead,
            readers("access-read-lookup", threads: 1, holdsReads: true, toC: 0.40),
            readers("access-2-readers", threads: 2, holdsReads: true, toC: 0.40),
            readers("access-4-readers", threads: 4, holdsReads: true, toC: 0.40),
            readers("access-read-lookup-unheld", threads: 1, holdsReads: false, toC: 1.10),
            readers("access-2-readers-unheld", threads: 2, holdsReads: false, toC: 1.10),
            readers("access-4-readers-unheld", threads: 4, holdsReads: false, toC: 1.10),
            besideWriter("writer-flat-out", pause: 0) { try CWriter($0) },
            besideWriter("writer-10000-per-second", pause: 100) { try CWriter($0) },
            besideWriter("writer-100-per-second", pause: 10_000) { try CWriter($0) },
            besideWriter("process-flat-out", pause: 0) { ForeignWriter($0) },
            besideWriter("process-100-per-second", pause: 10_000) { ForeignWriter($0) },
            mixedAccess, singleWrites, transactions, tasks,
        ] + observedReads
}
