import SquallSQLite
import Foundation
import GRDB
import Squall

// Many short reads and writes, from one thread and several. The C side has a connection for each thread, with BEGIN, COMMIT
// and its query prepared once; a bare hop to a dispatch queue and back stands for it where tasks are.

/// The keys, in an order that repeats itself in every run.
private let keys: [Int] = {
    var state: UInt64 = 7
    return (0..<20_000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % 100_000) + 1
    }
}()

private let priceOfCar = "SELECT price FROM cars WHERE id = ?"

/// A connection of the C side that keeps its read transaction while the log's index shows no commit, and while the log can
/// be begun again.
private final class CHeldReader: @unchecked Sendable {
    // Used by one thread.
    private let reader: CReader
    private let index: UnsafeRawPointer
    private var state = squall_log_state()
    private var isOpen = false

    init(_ path: String) throws {
        reader = try CReader(path)
        _ = try reader.price(1)
        var file: UnsafeMutablePointer<sqlite3_file>?
        var memory: UnsafeMutableRawPointer?
        guard sqlite3_file_control(reader.database.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, squall_map_index(file, &memory) == SQLITE_OK, let memory
        else { throw Failure("\(path) has no log") }
        index = UnsafeRawPointer(memory)
    }

    deinit { try? end() }

    @inline(__always)
    func price(_ key: Int) throws -> Int {
        if !isOpen || squall_is_log_state(index, &state) == 0 {
            try end()
            squall_read_log_state(index, &state)
            try reader.begin.run()
            isOpen = state.header.0.frames <= 900 || state.header.0.frames == state.copied_frames
        }
        let price = try reader.select(key)
        if !isOpen { try reader.commit.run() }
        return price
    }

    /// Ends the transaction that is kept.
    func end() throws {
        if isOpen { try reader.commit.run() }
        isOpen = false
    }
}

struct Databases {
    let path: String
    let squall: Squall.Database
    let grdb: DatabasePool

    init(_ path: String, maximumReaders: Int = 4, holdsReads: Bool = true) throws {
        self.path = path
        var recommended = Squall.Configuration.recommended
        recommended.heldReads = holdsReads
        squall = try Squall.Database(path, configuration: recommended, maximumReaders: maximumReaders)
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = maximumReaders
        grdb = try DatabasePool(path: path, configuration: configuration)
    }
}

extension Squall.Database {
    @inline(__always)
    func price(_ key: Int) throws -> Int {
        try executeRead { try $0.query("SELECT price FROM cars WHERE id = ?", key) }
    }
}

extension DatabasePool {
    func price(_ key: Int) throws -> Int {
        try read { database in
            try Int.fetchOne(database.cachedStatement(sql: priceOfCar), arguments: [key]) ?? 0
        }
    }
}

// MARK: - Reads

extension Benchmark {
    /// The target beside C is 0.5 µs over BEGIN and COMMIT: what the columns show, times 50,000.
    private static let emptyRead = Benchmark(name: "access-read-empty", toGRDB: 0.08) { fixtures in
        let databases = try Databases(fixtures.cars())
        let c = try CReader(databases.path)
        let count = 50_000
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
                for _ in 0..<count { sum += try databases.squall.executeRead { _ in 1 } }
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
                        return try keys.reduce(0) { try $0 &+ held[number].price($1) }
                    }
                },
                .c: Cell {
                    try onThreads(threads) { number in
                        try keys.reduce(0) { try $0 &+ c[number].price($1) }
                    }
                },
                .squall: Cell {
                    try onThreads(threads) { _ in try keys.reduce(0) { try $0 &+ databases.squall.price($1) } }
                },
                .grdb: Cell {
                    try onThreads(threads) { _ in try keys.reduce(0) { try $0 &+ databases.grdb.price($1) } }
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
                    try keys[..<1000].indices.reduce(0) { sum, index in
                        index % 4 == number ? try sum &+ c[number].price(keys[index]) : sum
                    }
                }
            },
            .squall: Cell { try inTask { try await AccessReport.sumByTasks(databases.squall) } },
            .grdb: Cell {
                try inTask {
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for key in keys[..<1000] {
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
}

// MARK: - Writes

extension Cell {
    /// Work that writes a fresh table of log lines.
    static func writingLog<Database>(
        _ row: String, _ side: Benchmark.Side, _ fixtures: Fixtures, open: @escaping (String) throws -> Database,
        work: @escaping (Database) throws -> Void
    ) -> Cell {
        Cell(
            before: {
                let path = fixtures.freshFile(for: row, side)
                try CDatabase(path).execute("CREATE TABLE log(id INTEGER PRIMARY KEY, text TEXT)")
                return (path, try open(path))
            },
            work: { try work($0.1) },
            check: { context, _ in try CDatabase.checksum(of: context.0, "SELECT * FROM log") }
        )
    }
}

private let insertLog = "INSERT INTO log(text) VALUES(?)"

extension Benchmark {
    private static func writes(
        _ name: String, toC: Double,
        c: @escaping @Sendable (CDatabase) throws -> Void,
        squall: @escaping @Sendable (Squall.Database) throws -> Void,
        grdb: @escaping @Sendable (DatabasePool) throws -> Void
    ) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            return [
                .c: .writingLog(name, .c, fixtures, open: { try CDatabase($0) }, work: c),
                .squall: .writingLog(name, .squall, fixtures, open: { try Squall.Database($0) }, work: squall),
                .grdb: .writingLog(name, .grdb, fixtures, open: { try DatabasePool(path: $0) }, work: grdb),
            ]
        }
    }

    private static func insert(_ statement: CStatement) throws {
        sqlite3_bind_text(statement.handle, 1, "a line of the log", 17, nil)
        try statement.run()
    }

    private static let singleWrites = writes(
        "access-writes", toC: 1.10,
        c: { database in
            let statement = try database.prepare(insertLog)
            for _ in 0..<10_000 { try insert(statement) }
            sqlite3_finalize(statement.handle)
        },
        squall: { database in
            for _ in 0..<10_000 {
                try database.executeWrite { try $0.run("INSERT INTO log(text) VALUES(?)", "a line of the log") }
            }
        },
        grdb: { pool in
            for _ in 0..<10_000 {
                try pool.writeWithoutTransaction {
                    try $0.cachedStatement(sql: insertLog).execute(arguments: ["a line of the log"])
                }
            }
        }
    )

    private static let transactions = writes(
        "access-transactions", toC: 1.10,
        c: { database in
            let statements = try ["BEGIN IMMEDIATE", insertLog, "COMMIT"].map { try database.prepare($0) }
            for _ in 0..<10_000 {
                try statements[0].run()
                try insert(statements[1])
                try statements[2].run()
            }
            for statement in statements { sqlite3_finalize(statement.handle) }
        },
        squall: { database in
            for _ in 0..<10_000 {
                try database.transaction { try $0.run("INSERT INTO log(text) VALUES(?)", "a line of the log") }
            }
        },
        grdb: { pool in
            for _ in 0..<10_000 {
                try pool.write {
                    try $0.cachedStatement(sql: insertLog).execute(arguments: ["a line of the log"])
                }
            }
        }
    )
}

// MARK: - Reads beside writes

extension Benchmark {
    /// One thread reads while a connection of the C side commits, as another process would. The values of each side are
    /// the same: the keys that are read are not written.
    private static func besideWriter(_ rate: String, pause: UInt32) -> Benchmark {
        Benchmark(name: "access-read-beside-writer-\(rate)", toC: 0.40) { fixtures in
            let path = fixtures.freshFile(for: "beside-writer-\(rate)", .c)
            try FileManager.default.copyItem(atPath: fixtures.cars(), toPath: path)
            let databases = try Databases(path)
            let c = try CReader(path)
            let held = try CHeldReader(path)
            let writer = try CWriter(path)
            func cell(_ read: @escaping @Sendable (Int) throws -> Int) -> Cell {
                Cell(measuring: {
                    try writer.during(pause: pause) {
                        for key in keys { _ = try read(key) }
                    }
                })
            }
            return [
                .c: cell { try c.price($0) },
                .held: Cell(measuring: {
                    defer { try? held.end() }
                    return try writer.during(pause: pause) { for key in keys { _ = try held.price(key) } }
                }),
                .squall: cell { try databases.squall.price($0) },
                .grdb: cell { try databases.grdb.price($0) },
            ]
        }
    }

    /// 4 threads read while one writes until they have ended.
    private static let mixedAccess = Benchmark(name: AccessReport.mixed, toC: 1.11) { fixtures in
        let path = fixtures.freshFile(for: AccessReport.mixed, .c)
        try FileManager.default.copyItem(atPath: fixtures.cars(), toPath: path)
        let databases = try Databases(path)
        let c = try (0..<4).map { _ in try CReader(path) }
        let writer = try CWriter(path)
        return [
            .c: Cell(
                {
                    try AccessReport.besideAWriter(
                        "c", read: { try c[$0].price($1) }, write: { try writer.write() })
                }, check: { Checksum($0) }),
            .squall: Cell(
                {
                    try AccessReport.besideAWriter(
                        "squall", read: { try databases.squall.price($1) },
                        write: {
                            try databases.squall.transaction {
                                try $0.run("UPDATE cars SET name = ? WHERE id = 1", "a new name")
                            }
                        }
                    )
                }, check: { Checksum($0) }),
            .grdb: Cell(
                {
                    try AccessReport.besideAWriter(
                        "grdb", read: { try databases.grdb.price($1) },
                        write: {
                            try databases.grdb.write {
                                try $0.cachedStatement(sql: "UPDATE cars SET name = ? WHERE id = 1")
                                    .execute(arguments: ["a new name"])
                            }
                        }
                    )
                }, check: { Checksum($0) }),
        ]
    }

    static let access: [Benchmark] = [
        emptyRead, asyncRead,
        readers("access-read-lookup", threads: 1, holdsReads: true, toC: 0.40),
        readers("access-2-readers", threads: 2, holdsReads: true, toC: 0.40),
        readers("access-4-readers", threads: 4, holdsReads: true, toC: 0.40),
        readers("access-read-lookup-unheld", threads: 1, holdsReads: false, toC: 1.10),
        readers("access-2-readers-unheld", threads: 2, holdsReads: false, toC: 1.10),
        readers("access-4-readers-unheld", threads: 4, holdsReads: false, toC: 1.10),
        besideWriter("flat-out", pause: 0), besideWriter("10000-per-second", pause: 100),
        besideWriter("100-per-second", pause: 10_000),
        mixedAccess, singleWrites, transactions, tasks,
    ]
}

final class CWriter: @unchecked Sendable {
    // Used by one thread.
    private let database: CDatabase
    private let statements: [CStatement]

    init(_ path: String) throws {
        database = try CDatabase(path)
        sqlite3_busy_timeout(database.handle, 5000)
        statements = try ["BEGIN IMMEDIATE", "UPDATE cars SET name = 'a new name' WHERE id = 1", "COMMIT"]
            .map { [database] in try database.prepare($0) }
    }

    func write() throws {
        for statement in statements { try statement.run() }
    }

    /// Writes on another thread, with a pause in microseconds after each commit, until a closure has returned.
    ///
    /// - Returns: The nanoseconds that the closure took.
    func during(pause: UInt32, _ body: () throws -> Void) throws -> UInt64 {
        let stop = Sum()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            while (try? stop.get()) == 0 {
                stop.add(
                    Result {
                        try write()
                        return 0
                    })
                if pause > 0 { usleep(pause) }
            }
            isDone.signal()
        }
        defer {
            stop.add(.success(1))
            isDone.wait()
        }
        return try Clock.wall.measure(body)
    }
}

// MARK: - What the table does not show

/// Latencies and threads.
enum AccessReport {
    static let mixed = "access-4-readers-1-writer"
    static let tasks = "access-1000-tasks"

    /// The latencies of the last round of each side, in nanoseconds, and the writes.
    nonisolated(unsafe) private static var latencies: [String: [UInt64]] = [:]
    nonisolated(unsafe) private static var writes: [String: Int] = [:]

    fileprivate static func besideAWriter(
        _ side: String, read: @escaping @Sendable (Int, Int) throws -> Int, write: @escaping @Sendable () throws -> Void
    ) throws -> Int {
        let stop = Sum()
        let isWriterDone = DispatchSemaphore(value: 0)
        let written = Sum()
        Thread.detachNewThread {
            written.add(
                Result {
                    var count = 0
                    while try stop.get() == 0 {
                        try write()
                        count += 1
                    }
                    return count
                })
            isWriterDone.signal()
        }
        let times = (0..<4).map { _ in Times() }
        let sum = try onThreads(4) { number in
            var sum = 0
            for key in keys {
                let start = DispatchTime.now().uptimeNanoseconds
                sum &+= try read(number, key)
                times[number].values.append(DispatchTime.now().uptimeNanoseconds - start)
            }
            return sum
        }
        stop.add(.success(1))
        isWriterDone.wait()
        writes[side] = try written.get()
        latencies[side] = times.flatMap(\.values).sorted()
        return sum
    }

    private final class Times: @unchecked Sendable {
        // Used by one thread.
        var values: [UInt64] = []

        init() { values.reserveCapacity(keys.count) }
    }

    static func sumByTasks(_ database: Squall.Database) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for key in keys[..<1000] {
                group.addTask {
                    try await database.read { try $0.query("SELECT price FROM cars WHERE id = ?", key) }
                }
            }
            return try await group.reduce(0, &+)
        }
    }

    static func report(_ rows: [Benchmark], _ fixtures: Fixtures) throws {
        if rows.contains(where: { $0.name == mixed }) {
            for (side, values) in latencies.sorted(by: { $0.key < $1.key }) {
                func percentile(_ share: Double) -> String {
                    let nanoseconds = values[min(values.count - 1, Int(Double(values.count) * share))]
                    return String(format: "%.1f", Double(nanoseconds) / 1000)
                }
                print(
                    "\(mixed), \(side): reads p50 \(percentile(0.5)) µs, p99 \(percentile(0.99)) µs; writes \(writes[side] ?? 0)"
                )
            }
        }
        if rows.contains(where: { $0.name == tasks }) {
            let database = try Squall.Database(fixtures.cars(), maximumReaders: 4)
            let before = threads
            let peak = try inTask {
                async let sum = sumByTasks(database)
                var peak = 0
                while database.statistics.reads < 1000 {
                    peak = max(peak, threads)
                    await Task.yield()
                }
                _ = try await sum
                return peak
            }
            print("\(tasks): \(before) threads before, at most \(peak) while 1000 tasks wait on 4 connections")
        }
    }

    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
