import Foundation
import LaboratorySupport
import Squall

/// `make crash`: processes that are killed while they write, and power cuts.
@main
struct CrashLane {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "kill":
            guard arguments.count == 3, let configuration = CrashConfiguration(rawValue: arguments[1]) else { exit(2) }
            try await KillTrial.runChild(configuration, arguments[2])
        case "power":
            guard let trial = PowerTrial(arguments) else { exit(2) }
            try await trial.runChild(ScratchFolder(ofLane: arguments[6]))
        default:
            exit(try runLane(LaneOptions()))
        }
    }

    private static func runLane(_ options: LaneOptions) throws -> Int32 {
        writeLine("seed \(options.seed)")
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        var lane = Lane("crash")
        for configuration in CrashConfiguration.killed {
            let row = "kill -9; \(configuration.name)"
            guard options.includes(row) else { continue }
            let trial = KillTrial(configuration: configuration, killCount: options.isShort ? 15 : 100)
            lane.run(row) { try trial.run(scratch, seed: options.seed) }
        }
        let cuts: [(CrashConfiguration, undoesDeletions: Bool)] = [
            (.walFull, true), (.walNormal, true), (.walSmallCheckpoint, true), (.deleteFull, false),
            (.deleteFull, true),
            (.deleteExtra, true),
        ]
        for (configuration, undoesDeletions) in cuts {
            let row = "power cut; \(configuration.name)" + (undoesDeletions ? "; deletions undone" : "")
            guard options.includes(row) else { continue }
            let trial = PowerTrial(
                configuration, undoesDeletions: undoesDeletions, rounds: options.isShort ? 2 : 10,
                cuts: options.isShort ? 25 : 150, seed: options.seed)
            lane.run(row) {
                let outcome = try run(trial, scratch)
                return (outcome.points, outcome.violations + wrongCount(outcome, trial))
            }
        }
        if options.includes("control") {
            let trial = PowerTrial(.deleteOff, undoesDeletions: true, rounds: 1, cuts: 50, seed: options.seed)
            lane.run("control: power cuts damage DELETE, OFF") {
                let outcome = try run(trial, scratch)
                let damaged = outcome.reported.filter { $0.hasPrefix(PowerTrial.cutPrefix) }
                // Only what a cut has damaged is wanted.
                var violations = outcome.reported.filter { !$0.hasPrefix(PowerTrial.cutPrefix) }
                violations += outcome.failures + wrongCount(outcome, trial)
                if damaged.isEmpty { violations.append("no cut has damaged the file") }
                return (outcome.points, violations)
            }
        }
        print(lane.summary)
        return lane.exitStatus
    }

    /// Runs power cuts in a process of their own.
    private static func run(_ trial: PowerTrial, _ scratch: ScratchFolder) throws -> ChildOutcome {
        let folder = try scratch.emptyFolder("power")
        let child = try ChildProcess(trial.arguments + [folder], errorsIn: scratch.path)
        return ChildOutcome(of: child, timeout: 60)
    }

    private static func wrongCount(_ outcome: ChildOutcome, _ trial: PowerTrial) -> [String] {
        if outcome.points == trial.pointCount { return [] }
        return ["\(outcome.points) points were tried, and not \(trial.pointCount)"]
    }
}
