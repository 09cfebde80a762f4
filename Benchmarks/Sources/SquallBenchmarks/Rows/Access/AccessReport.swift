import SquallSQLite
import Foundation
import GRDB
import Squall

/// Latencies and threads.
enum AccessReport {
    static let mixed = "access-4-readers-1-writer"
    static let tasks = "access-1000-tasks"

    /// The latencies of the last round of each side, in nanoseconds, and the writes.
    nonisolated(unsafe) private static var latencies: [String: [UInt64]] = [:]
    nonisolated(unsafe) private static var writes: [String: Int] = [:]

    static func besideAWriter(
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
            for key in accessKeys {
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

    final class Times: @unchecked Sendable {
        // Used by one thread.
        var values: [UInt64] = []

        init() { values.reserveCapacity(accessKeys.count) }
    }

    static func sumByTasks(_ database: Squall.Database) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for key in accessKeys[..<1000] {
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
