import SquallSQLite
import Foundation
import GRDB
import Squall

// 1,000,000 rows of an integer, a text and a real, one at a time and none kept.

extension Fixtures {
    fileprivate func million() throws -> String {
        try file(
            "million",
            script: """
                CREATE TABLE million(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(1_000_000)))
                INSERT INTO million SELECT n, printf('car number %d', n), n / 8.0 FROM numbers
                """
        )
    }
}

/// The loop on each side, over the rows up to a number.
private struct Streams {
    let c: CStatement
    let squall: Connection
    let grdb: DatabaseQueue

    init(_ fixtures: Fixtures) throws {
        let path = try fixtures.million()
        c = try CDatabase(path).prepare("SELECT id, name, price FROM million WHERE id <= ?")
        squall = try Connection.toRead(path)
        grdb = try DatabaseQueue.toRead(path)
    }

    func run(_ side: Benchmark.Side, last: Int) throws -> Int {
        var sum = 0
        switch side {
        case .c, .held:
            sqlite3_bind_int64(c.handle, 1, Int64(last))
            try c.forEachRow { sum &+= c.integer(0) &+ c.text(1).utf8.count &+ Int(c.real(2)) }
        case .squall:
            try squall.forEach("SELECT id, name, price FROM million WHERE id <= ?", last) { row in
                let (id, name, price): (Int, String, Double) = (row[0], row[1], row[2])
                sum &+= id &+ name.utf8.count &+ Int(price)
            }
        case .grdb:
            try grdb.inDatabase { database in
                let sql = "SELECT id, name, price FROM million WHERE id <= ?"
                let cursor = try GRDB.Row.fetchCursor(database, sql: sql, arguments: [last])
                try cursor.forEach { row in
                    let (id, name, price): (Int, String, Double) = (row[0], row[1], row[2])
                    sum &+= id &+ name.utf8.count &+ Int(price)
                }
            }
        }
        return sum
    }
}

extension Benchmark {
    static let streaming = [
        Benchmark(name: StreamingMemory.row, toC: 1.20, toGRDB: 0.75) { fixtures in
            let streams = try Streams(fixtures)
            return Dictionary(
                uniqueKeysWithValues: Side.allCases.map { side in
                    (side, Cell { try streams.run(side, last: scaled(1_000_000)) })
                }
            )
        }
    ]
}

/// How much memory a side takes to stream the rows: the peak of the resident memory of a process of its own, over what it
/// had after the first 100,000 rows, when SQLite's page cache (2 MB) is full and all code has run once.
enum StreamingMemory {
    static let row = "foreach-million"

    /// Runs each side in a process of its own, and prints what they say.
    static func report(_ fixtures: Fixtures) throws {
        print("\npeak memory of \(row) over the start, at most 2 MB:")
        fflush(nil)
        for side in Benchmark.Side.allCases {
            let process = Process()
            process.executableURL = Bundle.main.executableURL
            process.arguments = ["--memory", side.rawValue, "--files", fixtures.folder.path]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failure("\(side) failed") }
        }
    }

    static func measure(_ side: Benchmark.Side, _ fixtures: Fixtures) throws -> String {
        let streams = try Streams(fixtures)
        let opened = status("VmRSS")
        _ = try streams.run(side, last: 100_000)
        forgetPeak()
        let start = status("VmRSS")
        _ = try streams.run(side, last: 1_000_000)
        guard let opened, let start, let peak = status("VmHWM") else { return "  \(side): only measured on Linux" }
        return "  \(side): \(peak - start) kB over the start (\(peak - opened) kB since the file was opened)"
    }

    /// A line of `/proc/self/status`, in kB.
    private static func status(_ name: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }

    /// Makes the kernel take the present size for the peak.
    private static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }
}
