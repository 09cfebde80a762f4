import Foundation
import Squall

/// A server of accounts: 64 tasks transfer money and read balances at the same time.
struct Bank: Sendable {
    static let accounts = 100
    static let total = accounts * 1000

    let database: Database

    init(_ path: String) async throws {
        database = try Database(path)
        try await database.write { connection in
            try connection.execute("CREATE TABLE account(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)")
            for id in 0..<Self.accounts { try connection.run("INSERT INTO account VALUES(?, 1000)", id) }
        }
    }

    /// Transfers an amount from one account to another, in a transaction.
    func move(_ amount: Int, from: Int, to: Int) async throws {
        try await database.write { connection in
            try connection.run("UPDATE account SET balance = balance - \(amount) WHERE id = \(from)")
            try connection.run("UPDATE account SET balance = balance + \(amount) WHERE id = \(to)")
        }
    }

    /// Returns the total of all accounts and the balance of one, from one snapshot, even while others write.
    func look(at id: Int) async throws -> (total: Int, balance: Int) {
        try await database.read { connection in
            let total: Int = try connection.query("SELECT sum(balance) FROM account")
            let balance: Int = try connection.query("SELECT balance FROM account WHERE id = \(id)")
            return (total, balance)
        }
    }
}

/// The number of reads and writes that the tasks have done.
struct Measurements: Sendable {
    var reads: [Duration] = []
    var writes: [Duration] = []
    var errors = 0

    static func + (lhs: Measurements, rhs: Measurements) -> Measurements {
        Measurements(reads: lhs.reads + rhs.reads, writes: lhs.writes + rhs.writes, errors: lhs.errors + rhs.errors)
    }
}

/// Reads four times for every write, until the time is up.
func use(_ bank: Bank, until end: ContinuousClock.Instant) async -> Measurements {
    var measurements = Measurements()
    while ContinuousClock.now < end {
        let (from, to) = (Int.random(in: 0..<Bank.accounts), Int.random(in: 0..<Bank.accounts))
        do {
            measurements.writes.append(try await time { try await bank.move(1, from: from, to: to) })
            for _ in 0..<4 {
                measurements.reads.append(
                    try await time {
                        let view = try await bank.look(at: to)
                        if view.total != Bank.total { measurements.errors += 1 }
                    })
            }
        } catch {
            measurements.errors += 1
            print(error)
        }
    }
    return measurements
}

func time(_ body: () async throws -> Void) async rethrows -> Duration {
    let start = ContinuousClock.now
    try await body()
    return ContinuousClock.now - start
}

func percentiles(_ durations: [Duration]) -> String {
    guard !durations.isEmpty else { return "none" }
    let sorted = durations.sorted()
    let (half, most) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    func text(_ duration: Duration) -> String { String(format: "%.2f ms", duration / .milliseconds(1)) }
    return "p50 \(text(half)), p99 \(text(most))"
}

func manyTasks(_ count: Int, _ body: @escaping @Sendable () async -> Measurements) async -> Measurements {
    await withTaskGroup(of: Measurements.self) { group in
        for _ in 0..<count { group.addTask { await body() } }
        return await group.reduce(Measurements(), +)
    }
}
