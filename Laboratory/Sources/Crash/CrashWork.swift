import Foundation
import Squall
import Synchronization

/// Writers and readers of one database: a thread whose transactions block it, tasks whose writes are committed together, and
/// reads whose transactions are held.
final class CrashWork: Sendable {
    private let database: Database
    private let base: [Int]
    private let acknowledge: @Sendable (_ writer: Int, _ number: Int) -> Void
    private let report: @Sendable (String) -> Void
    private let acknowledged: Mutex<[Int]>
    private let isEnded = Atomic(false)

    init(
        _ database: Database, acknowledge: @escaping @Sendable (_ writer: Int, _ number: Int) -> Void,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.database = database
        self.acknowledge = acknowledge
        self.report = report
        base = try database.blocking.writeWithoutTransaction { try Batches.totals($0) }
        acknowledged = Mutex(base)
    }

    /// Runs until every writer has written so many batches.
    func run(_ count: Int) async {
        let thread = Task.detached { [self] in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread { [self] in
                    writeBlocking(count)
                    continuation.resume()
                }
            }
        }
        let reader = Task.detached { [self] in await read() }
        await withTaskGroup(of: Void.self) { group in
            for writer in 1..<Batches.writerCount {
                group.addTask { [self] in await write(count, of: writer) }
            }
        }
        await thread.value
        isEnded.store(true, ordering: .relaxed)
        await reader.value
    }

    private func writeBlocking(_ count: Int) {
        for number in numbers(of: 0, count) {
            do {
                try database.blocking.write { try Batches.write(number, of: 0, $0) }
                didCommit(number, of: 0)
                try check()
            } catch {
                return report("writer 0 has thrown \(error)")
            }
        }
    }

    private func write(_ count: Int, of writer: Int) async {
        for number in numbers(of: writer, count) {
            do {
                try await database.write { try Batches.write(number, of: writer, $0) }
                didCommit(number, of: writer)
            } catch {
                return report("writer \(writer) has thrown \(error)")
            }
        }
    }

    private func numbers(of writer: Int, _ count: Int) -> Range<Int> {
        base[writer] + 1..<base[writer] + 1 + count
    }

    private func didCommit(_ number: Int, of writer: Int) {
        acknowledge(writer, number)
        acknowledged.withLock { $0[writer] = number }
    }

    private func read() async {
        while !isEnded.load(ordering: .relaxed) {
            do {
                let known = acknowledged.withLock { $0 }
                let totals = try await database.read { connection in
                    for problem in try Batches.problems(connection, isComplete: false) { self.report(problem) }
                    return try Batches.totals(connection)
                }
                compare(totals, known)
                try? await Task.sleep(for: .milliseconds(1))
            } catch {
                return report("the reader has thrown \(error)")
            }
        }
    }

    /// Reads what was acknowledged, on a connection that may have kept its transaction.
    private func check() throws {
        let known = acknowledged.withLock { $0 }
        compare(try database.blocking.read { try Batches.totals($0) }, known)
    }

    private func compare(_ totals: [Int], _ known: [Int]) {
        if zip(totals, known).contains(where: { $0 < $1 }) { report("a read has found \(totals) after \(known)") }
    }
}
