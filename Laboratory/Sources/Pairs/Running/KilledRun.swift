import Foundation
import LaboratorySupport
import Squall

/// A run whose steps are executed by a process that is killed at a random moment, and continued on its file.
///
/// The same steps run in this process on another file, which has the rows that the killed process must have left.
struct KilledRun {
    let pair: Pair
    let steps: [Pair.Step]
    let process: PairProcess
    /// The folder of the other file.
    let folder: String
    let tally: Tally

    /// Prints the number of each step before and after it. When all have ended, it waits for its end, or that of the lane.
    static func runChild(_ process: PairProcess) throws {
        let lane = getppid()
        let world = try process.pair.world(in: process.folder)
        if try world.setUp() != nil { return }
        for (number, step) in process.pair.steps(process.stepCount, seed: process.seed).enumerated() {
            writeLine("begin \(number)")
            try world.run(step)
            writeLine("end \(number)")
        }
        while getppid() == lane { sleep(1) }
    }

    /// - Returns: The outcome; `nil` for features that cannot meet, or that have no file.
    func run() throws -> Pair.Outcome? {
        let (parts, shape) = pair.makeParts()
        if !parts.allSatisfy(\.canResume) { return nil }
        if shape.contradiction != nil || World.settings(folder, parts).isInMemory { return nil }
        var dice = Dice(seed: steps.last?.seed ?? 0)
        let target = dice.number(below: max(1, steps.count))
        let delay = dice.number(below: 3_000)
        var subject = "to be killed in step \(target)"
        do {
            guard let (begun, ended) = try kill(in: target, after: UInt32(delay)) else { return nil }
            subject = "killed in step \(begun) after \(delay) µs"
            let reference = try pair.world(in: folder)
            defer { try? reference.close() }
            try require(reference.setUp() == nil, "refused, and not in another process")
            let model = try findModel(reference, begun, ended)
            let world = try World(continuing: process.folder, model, parts, shape, as: reference.parts)
            defer { try? world.close() }
            for step in steps.dropFirst(begun + 1) { try world.run(step) }
            try world.reopen()
            guard let reason = reference.refusal ?? world.refusal else { return .held(steps: steps.count) }
            try require(Refusals.allows(pair, reason), "refused with \(reason)")
            return .refused(reason)
        } catch {
            return .broken(Pair.Failure(text: "\(subject): \(error)", steps: steps))
        }
    }

    /// Starts the process, and kills it.
    ///
    /// - Parameters:
    ///   - target: The number of the step in which it is killed.
    ///   - delay: The microseconds from the beginning of the step.
    /// - Returns: The last steps that had begun and ended; `nil` for a pair that is refused.
    private func kill(in target: Int, after delay: UInt32) throws -> (begun: Int, ended: Int)? {
        let child = try process.start()
        var (begun, ended) = (-1, -1)
        func note(_ line: Substring) {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { return }
            if words[0] == "begin" { begun = number } else { ended = number }
        }
        while begun < target {
            let lines = child.lines(milliseconds: 30_000)
            if lines.isEmpty { break }
            lines.forEach(note)
        }
        if begun >= target { usleep(delay) }
        child.kill()
        let end = child.readLines(timeout: 30, note)
        if end == .exited(0) { return nil }
        if case .signalled(SIGKILL, _) = end {
            tally.note(.killed)
            if begun > ended { tally.note(.killedInStep) }
            return (begun, ended)
        }
        throw Violation(description: "not ended by the lane, in step \(begun): \(child.describe(end))")
    }

    /// Runs the steps until the rows and the oracles are those of the file that the process has left.
    private func findModel(_ reference: World, _ begun: Int, _ ended: Int) throws -> Model {
        var found: Model?
        var problems: [String] = []
        func compare() {
            if found != nil { return }
            do {
                let connection = try reference.connection("\(process.folder)/main.db")
                defer { connection.close() }
                try reference.checkFile(connection, "the file")
                found = reference.model
                if begun > ended, problems.count > 0 { tally.note(.killedAfterCommit) }
            } catch {
                problems.append("\(error)")
            }
        }
        for step in steps.prefix(ended + 1) { try reference.run(step) }
        compare()
        if begun > ended {
            reference.afterCommit = compare
            try reference.run(steps[begun])
            reference.afterCommit = nil
            compare()
        }
        guard let found else { throw Violation(description: problems.joined(separator: "; or ")) }
        return found
    }
}
