import Foundation
import LaboratorySupport
import Squall

/// A process that writes is killed, and the file is opened again.
struct KillTrial {
    let configuration: CrashConfiguration
    let killCount: Int

    /// The process that is killed. It writes `R` when it is ready, `A`, the writer and the number for each transaction that is
    /// acknowledged, and `V` and a sentence for what its readers have found wrong.
    static func runChild(_ configuration: CrashConfiguration, _ folder: String) async throws {
        let database = try configuration.open(folder)
        let work = try CrashWork(
            database, acknowledge: { write("A \($0) \($1)\n") }, report: { write("\(Report.violationLine($0))\n") })
        write("R\n")
        await work.run(1_000_000)
    }

    /// Writes at once, and whole: several threads write.
    private static func write(_ line: String) {
        var line = line
        line.withUTF8 { _ = Foundation.write(1, $0.baseAddress, $0.count) }
    }

    func run(_ scratch: ScratchFolder, seed: UInt64) throws -> (points: Int, violations: [String]) {
        let folder = try scratch.emptyFolder("kill-\(configuration.rawValue)")
        let database = try configuration.open(folder)
        try database.blocking.write { try Batches.create($0) }
        try database.blocking.close()
        var generator = SeededGenerator(seed: seed)
        var acknowledged = [Int](repeating: 0, count: Batches.writerCount)
        var violations: [String] = []
        var acknowledgedCount = 0
        var unacknowledgedCount = 0
        for kill in 1...killCount {
            let delay = UInt32.random(in: 2_000...27_000, using: &generator)
            let child = try ChildProcess(["kill", configuration.rawValue, folder], errorsIn: scratch.path)
            var lines: [Substring] = []
            while !lines.contains("R") {
                let read = child.lines(milliseconds: 10_000)
                if read.isEmpty { break }
                lines += read
            }
            usleep(delay)
            let wasRunning = child.kill()
            let end = child.readLines(timeout: 10) { lines.append($0) }
            if !wasRunning || !Self.isKilled(end) {
                violations.append("kill \(kill), not by the lane: \(child.describe(end))")
            }
            if !lines.contains("R") { violations.append("kill \(kill): the process was not ready") }
            let before = acknowledged.reduce(0, +)
            for line in lines { note(line, &acknowledged, &violations) }
            let known = acknowledged.reduce(0, +)
            violations += try problems(folder, &acknowledged).map { "kill \(kill) after \(delay) µs: \($0)" }
            acknowledgedCount += known - before
            unacknowledgedCount += acknowledged.reduce(0, +) - known
        }
        if acknowledgedCount < killCount {
            violations.append("only \(acknowledgedCount) transactions were acknowledged")
        }
        writeLine("    \(acknowledgedCount) transactions acknowledged, \(unacknowledgedCount) more committed")
        return (killCount, violations)
    }

    private static func isKilled(_ end: ChildProcess.End) -> Bool {
        if case .signalled(SIGKILL, _) = end { true } else { false }
    }

    private func note(_ line: Substring, _ acknowledged: inout [Int], _ violations: inout [String]) {
        let words = line.split(separator: " ")
        if words.first == "A", words.count == 3, let writer = Int(words[1]), let number = Int(words[2]) {
            acknowledged[writer] = number
        } else if words.first == "V" {
            violations.append(String(line.dropFirst(2)))
        } else if line != "R" {
            violations.append("unexpected output: \(line)")
        }
    }

    /// Returns what is wrong with the file, and makes what it has the new state.
    private func problems(_ folder: String, _ acknowledged: inout [Int]) throws -> [String] {
        let database = try configuration.open(folder)
        defer { try? database.blocking.close() }
        return try database.blocking.writeWithoutTransaction { connection in
            var problems = try Batches.problems(connection, isComplete: true)
            let totals = try Batches.totals(connection)
            for (writer, (total, known)) in zip(totals, acknowledged).enumerated() {
                // A commit that was made, but not yet acknowledged, is allowed.
                if total < known { problems.append("batch \(known) of writer \(writer) was acknowledged, and is lost") }
                if total > known + 1 { problems.append("writer \(writer) has written \(total), after \(known)") }
            }
            acknowledged = totals
            return problems
        }
    }
}
