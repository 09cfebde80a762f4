import Foundation
import Synchronization

/// Compares the instructions of rows, as ratios of Squall to C, with those of a file.
enum Instructions {
    /// The highest ratio to the one in the file.
    private static let highestRise = 1.03

    /// - Parameters:
    ///   - names: The rows; all that are not left out if there are none.
    ///   - isRecording: Write the file instead of comparing with it.
    static func run(
        _ names: [String], comparedWith path: String, isRecording: Bool, _ fixtures: Fixtures
    ) throws {
        let table = try InstructionTable(path)
        let versions = InstructionTable.currentVersions
        let isComplete = names.isEmpty
        if let recorded = table.versions, recorded != versions {
            guard !isRecording || isComplete else {
                throw Failure("\(path) has rows of other versions: record all rows")
            }
            print("\(path) was recorded with \(recorded), and this is \(versions).")
        }
        let rows = try selection(names, table, isRecording: isRecording)
        Scale.divisor = InstructionCounter.scale
        let start = Clock.wall.now
        print(InstructionTable.padded("row") + "           C       Squall   ratio")
        let counted = try count(rows, in: fixtures.folder) { row, counts in
            let change = table.counts(of: row.name).map { counts.ratio / $0.ratio }
            let percent = change.map { String(format: " %+6.1f %%", ($0 - 1) * 100) } ?? ""
            print(InstructionTable.padded(row.name) + counts.columns + percent)
            fflush(nil)
        }
        print("\(rows.count) rows in \((Clock.wall.now - start) / 1_000_000_000) s")
        if isRecording { return try table.write(counted, versions: versions) }
        let risen = rows.map(\.name).filter { name in
            guard let before = table.counts(of: name), let now = counted[name] else { return false }
            return now.ratio > before.ratio * highestRise
        }
        guard risen.isEmpty else {
            throw Failure(
                """
                The ratio to C has risen by more than 3 %: \(risen.joined(separator: ", ")). If it must, \
                `make instructions RECORD=1 ROWS=\(risen.joined(separator: ","))` records it.
                """)
        }
    }

    /// Returns the rows to count. Every row of the benchmark must be in the table.
    private static func selection(
        _ names: [String], _ table: InstructionTable, isRecording: Bool
    ) throws -> [Benchmark] {
        let known = Benchmark.all.map(\.name)
        let missing = known.filter { table.entries[$0] == nil && !isRecording }
        let superfluous = table.entries.keys.filter { !known.contains($0) && !isRecording }.sorted()
        guard missing.isEmpty, superfluous.isEmpty else {
            throw Failure(
                """
                Rows without instructions: \(missing); instructions without a row: \(superfluous).
                `make instructions RECORD=1` counts new rows; a line "row - reason" in the file leaves a row out.
                """)
        }
        guard !names.isEmpty else { return Benchmark.all.filter { table.reasonToLeaveOut($0.name) == nil } }
        return try names.map { name in
            if let reason = table.reasonToLeaveOut(name) { throw Failure("\(name) is left out: \(reason)") }
            return try Options.row(name)
        }
    }

    /// Counts both sides of rows, two processes at a time.
    ///
    /// - Parameter report: Called with each row that has been counted, by one thread at a time.
    private static func count(
        _ rows: [Benchmark], in folder: URL, report: @escaping @Sendable (Benchmark, InstructionCounts) -> Void
    ) throws -> [String: InstructionCounts] {
        let work = Work(rows)
        _ = try onThreads(2) { thread in
            while let (row, side) = work.next() {
                do {
                    let counter = try InstructionCounter(row, side, in: folder.appending(path: "\(thread)"))
                    try work.finish(row, side, counter, report)
                } catch {
                    work.cancel()
                    throw error
                }
            }
            return 0
        }
        return work.counted
    }
}

/// The sides that are still to be counted, and those that have been.
private final class Work: Sendable {
    private struct State {
        var waiting: [(Benchmark, Benchmark.Side)]
        var halves: [String: (side: Benchmark.Side, counter: InstructionCounter)] = [:]
        var counted: [String: InstructionCounts] = [:]
    }

    private let state: Mutex<State>

    init(_ rows: [Benchmark]) {
        state = Mutex(State(waiting: rows.reversed().flatMap { [($0, .squall), ($0, .c)] }))
    }

    var counted: [String: InstructionCounts] { state.withLock { $0.counted } }

    func next() -> (Benchmark, Benchmark.Side)? { state.withLock { $0.waiting.popLast() } }

    func cancel() { state.withLock { $0.waiting = [] } }

    /// Reports a row when both of its sides have been counted, and throws if they have not done the same.
    func finish(
        _ row: Benchmark, _ side: Benchmark.Side, _ counter: InstructionCounter,
        _ report: @Sendable (Benchmark, InstructionCounts) -> Void
    ) throws {
        try state.withLock { state in
            guard let other = state.halves.removeValue(forKey: row.name) else {
                state.halves[row.name] = (side, counter)
                return
            }
            guard counter.checksum == other.counter.checksum else {
                throw Failure("\(row.name): squall did something else than c: the checksums differ")
            }
            let (c, squall) = side == .c ? (counter, other.counter) : (other.counter, counter)
            let counts = InstructionCounts(c: c.instructions, squall: squall.instructions)
            state.counted[row.name] = counts
            report(row, counts)
        }
    }
}
