import SquallSQLite
import Foundation
import GRDB
import Squall

// A fresh process that opens a file and answers one query: the time from before the file is opened until the answer is there, and the
// time of the whole process. The executable is the same for all sides, so that loading it takes the same time.

/// The object that a fresh process opens.
enum StartUp: String {
    /// One connection.
    case connection
    /// A connection that writes, and one that reads.
    case database

    private static let query = "SELECT price FROM cars WHERE id = 97"

    /// Opens a file and reads a number, in this process, and prints the nanoseconds that it took.
    func answer(_ side: Benchmark.Side, _ path: String) throws {
        var opened: (price: Int, close: () throws -> Void) = (0, {})
        let nanoseconds = try Clock.wall.measure { opened = try open(side, path) }
        // The last connection removes the log, so that the next process finds the file as this one has.
        try opened.close()
        guard opened.price == 97 * 7919 % 100_000 else { throw Failure("\(side) has read \(opened.price)") }
        print(nanoseconds)
    }

    private func open(_ side: Benchmark.Side, _ path: String) throws -> (price: Int, close: () throws -> Void) {
        switch (self, side) {
        case (.connection, .c), (.connection, .held):
            let database = try CDatabase(recommended: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            return (try database.price(Self.query), { withExtendedLifetime(database) {} })
        case (.database, .c), (.database, .held):
            var connections = [
                try CDatabase(recommended: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
                try CDatabase(recommended: path, SQLITE_OPEN_READONLY),
            ]
            // The reader is closed first: it could not remove the log.
            return (try connections[1].price(Self.query), { while connections.popLast() != nil {} })
        case (.connection, .squall):
            let connection = try Connection(path)
            return (try connection.query("SELECT price FROM cars WHERE id = 97"), { connection.close() })
        case (.database, .squall):
            let database = try Squall.Database(path)
            let price: Int = try database.blocking.read { try $0.query("SELECT price FROM cars WHERE id = 97") }
            return (price, { try database.blocking.close() })
        case (.connection, .grdb):
            let queue = try DatabaseQueue.toRead(path)
            return (try queue.read { try Int.fetchOne($0, sql: Self.query) ?? 0 }, { try queue.close() })
        case (.database, .grdb):
            let pool = try DatabasePool(path: path)
            return (try pool.read { try Int.fetchOne($0, sql: Self.query) ?? 0 }, { try pool.close() })
        }
    }
}

extension CDatabase {
    /// Opens a file with the settings of `Configuration.recommended`.
    fileprivate convenience init(recommended path: String, _ flags: Int32) throws {
        try self.init(path, flags: flags | SQLITE_OPEN_NOMUTEX)
        sqlite3_busy_timeout(handle, 5000)
        for (option, isOn) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1), (SQLITE_DBCONFIG_DQS_DDL, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
        ] {
            squall_set_option(handle, option, Int32(isOn))
        }
        let isReader = flags & SQLITE_OPEN_READONLY != 0
        try execute(
            "PRAGMA recursive_triggers = ON; \(isReader ? "" : "PRAGMA journal_mode = WAL;") PRAGMA synchronous = NORMAL;"
                + (isReader ? "PRAGMA query_only = 1" : ""))
    }

    fileprivate func price(_ query: String) throws -> Int {
        let statement = try prepare(query)
        defer { sqlite3_finalize(statement.handle) }
        guard sqlite3_step(statement.handle) == SQLITE_ROW else { throw failure }
        return statement.integer(0)
    }
}

extension Benchmark {
    /// - Parameter isWhole: Measure the process from its start to its end.
    private static func startUp(_ name: String, _ opened: StartUp, isWhole: Bool = false) -> Benchmark {
        Benchmark(name: name, toC: 1.15) { fixtures in
            let cells = try [Side.c, .squall, .grdb].map { side in
                let path = fixtures.freshFile(for: name, side)
                try FileManager.default.copyItem(atPath: fixtures.cars(), toPath: path)
                return (
                    side,
                    Cell(measuring: {
                        // The lowest of some processes, since another process of the machine delays most of them.
                        try (0..<5).map { _ in
                            let child = try ChildProcess(["--start-up", opened.rawValue, side.rawValue, path])
                            guard let inside = UInt64(child.output) else { throw Failure("\(side): \(child.output)") }
                            return isWhole ? child.nanoseconds : inside
                        }.min() ?? 0
                    })
                )
            }
            return Dictionary(uniqueKeysWithValues: cells)
        }
    }

    static let startUps = [
        startUp("start-up", .connection), startUp("start-up-database", .database),
        startUp("start-up-process", .connection, isWhole: true),
    ]
}
