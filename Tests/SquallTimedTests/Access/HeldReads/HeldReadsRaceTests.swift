import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Held reads beside writers and checkpoints of this and of other processes.
@Suite(.timeLimit(.minutes(10)))
struct HeldReadsRaceTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        try Connection(path).execute("CREATE TABLE counter(number INTEGER); INSERT INTO counter VALUES(0)")
    }

    /// The number of reads, and of those that returned less than what had been acknowledged when they began.
    private static func reads(
        _ count: Int, _ acknowledged: Shared<Int>, _ read: () throws -> Int
    ) throws -> (all: Int, stale: Int) {
        var stale = 0
        for _ in 0..<count {
            let least = acknowledged.value
            if try read() < least { stale += 1 }
        }
        return (count, stale)
    }

    /// Runs threads that write and check the log until a closure has returned.
    private func besideOthers(_ database: Database, _ body: (Shared<Int>) throws -> Void) throws {
        let isDone = Shared(false)
        let acknowledged = Shared(0)
        let increment: SQL = "UPDATE counter SET number = number + 1 RETURNING number"
        let (path, seed) = (path, TestSeed.of())
        var patient = Configuration.recommended
        patient.busyTimeout = .seconds(3600)
        let configuration = patient
        let writers = [
            ThreadResult {
                while !isDone.value {
                    let number = try database.blocking.write { try $0.query(increment) as Int }
                    acknowledged.update { $0 = max($0, number) }
                }
            },
            ThreadResult {
                let other = try Connection(path, configuration: configuration)
                while !isDone.value {
                    let number: Int = try other.query(increment)
                    acknowledged.update { $0 = max($0, number) }
                }
            },
            ThreadResult {
                let other = try Connection(path)
                var generator = seed.generator()
                while !isDone.value {
                    do {
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0: _ = try database.blocking.checkpoint(.truncate)
                        case 1: _ = try database.blocking.checkpoint(.passive)
                        case 2: _ = try other.checkpoint(mode: .restart)
                        default: _ = try other.checkpoint(mode: .truncate)
                        }
                    } catch let error as SQLiteError where error.resultCode == .busy {
                        // Another checkpoint runs.
                    }
                }
            },
        ]
        defer { isDone.update { $0 = true } }
        try body(acknowledged)
        isDone.update { $0 = true }
        for writer in writers { try writer.get() }
    }

    /// Reads until a read continues with a transaction, if none has before.
    private static func readUntilOneContinues(_ database: Database) throws {
        try until {
            _ = try database.blocking.read { try $0.query("SELECT 1") as Int }
            return database.statistics.continuedReads > 0
        }
    }

    @Test(arguments: [true, false])
    func noReadIsStale(heldReads: Bool) throws {
        var configuration = Configuration.recommended
        configuration.heldReads = heldReads
        configuration.busyTimeout = .seconds(3600)
        let database = try Database(path, configuration: configuration)
        try besideOthers(database) { acknowledged in
            let readers = (0..<3).map { _ in
                ThreadResult {
                    try Self.reads(10_000, acknowledged) {
                        try database.blocking.read { try $0.query("SELECT number FROM counter") }
                    }.stale
                }
            }
            let stale = try readers.map { try $0.get() }
            #expect(stale == [0, 0, 0])
        }
        if heldReads {
            try Self.readUntilOneContinues(database)
        } else {
            #expect(database.statistics.continuedReads == 0)
        }
    }

    /// The control: the same check finds the reads of a transaction that is never renewed.
    @Test func theCheckFindsStaleReads() throws {
        let database = try Database(path)
        let old = try Connection(path)
        try old.execute("BEGIN")
        #expect(try old.query("SELECT number FROM counter") == 0)
        try database.blocking.write { try $0.run("UPDATE counter SET number = 1") }
        let acknowledged = Shared(1)
        let old100 = try Self.reads(100, acknowledged) { try old.query("SELECT number FROM counter") }
        let new100 = try Self.reads(100, acknowledged) {
            try database.blocking.read { try $0.query("SELECT number FROM counter") }
        }
        #expect(old100 == (100, 100) && new100 == (100, 0))
    }

    /// Each batch of the other process is a transaction of five rows.
    @Test func aReaderSeesWholeTransactionsOfProcessesThatAreKilled() throws {
        let file = directory.file("killed.db")
        try Connection(file).execute("CREATE TABLE t(id INTEGER PRIMARY KEY, batch INTEGER, x BLOB)")
        let database = try Database(file)
        let isDone = Shared(false)
        let reader = ThreadResult {
            var isWhole = true
            while isWhole && !isDone.value {
                isWhole = try database.blocking.read {
                    try $0.query("SELECT count(*) = 5 * coalesce(max(batch), 0) FROM t")
                }
            }
            return isWhole
        }
        var last = 0
        for _ in 0..<15 {
            let process = try TestProcess(["commit", file, "\(last + 1)"])
            var output = process.firstOutput()
            process.kill()
            output += try process.end().output
            last = try database.blocking.read { try $0.query("SELECT coalesce(max(batch), 0) FROM t") }
            #expect(last >= output.split(separator: "\n").compactMap { Int($0) }.last ?? 0)
        }
        isDone.update { $0 = true }
        #expect(try reader.get())
        try Self.readUntilOneContinues(database)
    }
}
