import FaultInjection
import Foundation
import LaboratorySupport
import Squall
import SquallEncryption

/// A process that uses an encrypted file is killed at one of the system calls of SQLite, and its files are looked at.
struct KilledTrial {
    let work: SealedWork
    let mode: Configuration.JournalMode
    let killCount: Int

    /// `work name mode folder point`: does the work. 0 is no point: the number of calls is printed instead.
    static func runChild(_ arguments: [String]) async throws {
        guard arguments.count == 4, let work = SealedWork(rawValue: arguments[0]), let point = Int64(arguments[3]),
            let mode = Configuration.JournalMode(rawValue: arguments[1])
        else { exit(2) }
        let folder = SealedFolder(path: arguments[2], mode: mode)
        SealedLane.watch(folder)
        if point > 0 { fault_kill(point) } else { fault_begin(fault_system_calls, .max, false, 0) }
        try await work.run(folder)
        writeLine("C \(fault_counted()) \(fault_watched_count())")
    }

    /// The lines of a process.
    private struct Outcome {
        var calls = 0
        var watched = 0
        var added = 0
        var finished: Set<Substring> = []
        var violations: [String] = []
        var end = ChildProcess.End.exited(0)
        var isKilled: Bool { if case .signalled(SIGKILL, _) = end { true } else { false } }
    }

    func run(_ scratch: ScratchFolder, seed: UInt64) throws -> (points: Int, violations: [String]) {
        let template = SealedFolder(path: try scratch.emptyFolder("template"), mode: mode)
        if work.hasFile { try template.fill() }
        let whole = try runOnce(template, 0, scratch)
        guard whole.end == .exited(0), whole.calls > 0, whole.watched > 0 else {
            return (0, whole.violations + ["the process that was not killed: \(whole.end)"])
        }
        var (points, violations, generator) = (0, whole.violations, SeededGenerator(seed: seed))
        for point in Self.points(whole.calls, killCount, &generator) {
            let outcome = try runOnce(template, point, scratch)
            // Calls of several threads may be fewer in a run.
            if !outcome.isKilled, outcome.end != .exited(0) {
                violations.append("call \(point): not killed: \(outcome.end)")
            }
            if outcome.isKilled { points += 1 }
            violations += outcome.violations.map { "call \(point) of \(whole.calls): \($0)" }
        }
        if points < killCount / 2, points < whole.calls / 2 { violations.append("only \(points) were killed") }
        return (points, violations)
    }

    /// Chooses as many calls, one at random of each part of the work. With more kills than calls, each call is chosen, and some again.
    static func points(_ calls: Int, _ count: Int, _ generator: inout SeededGenerator) -> [Int] {
        (0..<count).map { number in
            let (first, end) = (number * calls / count, (number + 1) * calls / count)
            return 1 + (end > first ? Int.random(in: first..<end, using: &generator) : min(first, calls - 1))
        }
    }

    private func runOnce(_ template: SealedFolder, _ point: Int, _ scratch: ScratchFolder) throws -> Outcome {
        let folder = SealedFolder(path: try scratch.emptyFolder("trial"), mode: mode)
        try FileManager.default.createDirectory(atPath: folder.temporary, withIntermediateDirectories: true)
        if work.hasFile { try FileManager.default.copyItem(atPath: template.main, toPath: folder.main) }
        let child = try ChildProcess(
            ["work", work.rawValue, mode.rawValue, folder.path, "\(point)"], errorsIn: scratch.path)
        var outcome = Outcome()
        let end = child.readLines(timeout: 60) { line in
            let words = line.split(separator: " ")
            switch words.first {
            case "A": outcome.added += 1
            case "F": outcome.finished.formUnion(words.dropFirst())
            case "C": (outcome.calls, outcome.watched) = (Int(words[1]) ?? 0, Int(words[2]) ?? 0)
            case "V": outcome.violations.append(String(line.dropFirst(2)))
            default: outcome.violations.append("unexpected output: \(line)")
            }
        }
        outcome.end = end
        do {
            try check(folder, &outcome, newKeyFirst: point % 2 == 1)
        } catch {
            outcome.violations.append("the file cannot be used: \(error)")
        }
        return outcome
    }

    private func check(_ folder: SealedFolder, _ outcome: inout Outcome, newKeyFirst: Bool) throws {
        outcome.violations += folder.filesInClear().map { "\($0) is in clear" }
        guard work.hasFile else { return try checkNewFile(folder, &outcome) }
        // A key that is wrong must leave the log and the journal as they are.
        let order = [SealedFolder.oldKey, SealedFolder.newKey]
        let keys = try (newKeyFirst ? order.reversed() : order).filter { try folder.opens($0) }
        let allowed = work != .rekey || !outcome.isKilled && !outcome.finished.contains("key") ? [order[0]] : order
        guard let key = keys.first, keys.count == 1, allowed.contains(key) else {
            return outcome.violations.append("\(keys.count) of the two keys open the file, or the wrong one")
        }
        if key == order[0], outcome.finished.contains("key") {
            outcome.violations.append("the key was changed, and the file has the old one")
        }
        outcome.violations += try folder.problems(key, acknowledged: outcome.added)
        for (name, key) in work.copies where outcome.finished.contains(Substring(name)) {
            outcome.violations += try folder.problems(key, name: name, acknowledged: outcome.added)
        }
        outcome.violations += folder.filesInClear().map { "\($0) is in clear after its use" }
    }

    /// A file that was being made opens with its key, also where nothing has been written yet.
    private func checkNewFile(_ folder: SealedFolder, _ outcome: inout Outcome) throws {
        guard FileManager.default.fileExists(atPath: folder.main) else { return }
        let connection = try Connection(folder.main, configuration: folder.configuration(SealedFolder.oldKey))
        outcome.violations += try connection.integrityCheck()
        let hasTables: Bool = try connection.query("SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'notes'")
        let count: Int = hasTables ? try connection.query("SELECT count(*) FROM notes") : 0
        if count != 0, count != SealedFolder.rowCount { outcome.violations.append("\(count) rows of one transaction") }
        outcome.violations += folder.filesInClear().map { "\($0) is in clear after its use" }
    }
}
