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
            try await trial.runChild()
        default:
            exit(try runLane(LaneOptions()))
        }
    }

    private static func runLane(_ options: LaneOptions) throws -> Int32 {
        writeLine("seed \(options.seed)")
        let scratch = try ScratchFolder()
        var lane = Lane("crash")
        for configuration in [CrashConfiguration.deleteFull, .walNormal, .walSmallCheckpoint] {
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
            lane.run(row) { try run(trial, scratch) }
        }
        if options.includes("control") {
            let trial = PowerTrial(.deleteOff, undoesDeletions: true, rounds: 1, cuts: 50, seed: options.seed)
            lane.run("control: power cuts damage DELETE, OFF") {
                let (points, violations) = try run(trial, scratch)
                return (points, violations.isEmpty ? ["no cut has damaged the file"] : [])
            }
        }
        print(lane.summary)
        return lane.exitStatus
    }

    /// Runs power cuts in a process of their own.
    private static func run(_ trial: PowerTrial, _ scratch: ScratchFolder) throws -> (points: Int, violations: [String])
    {
        var points = 0
        var violations: [String] = []
        var isDone = false
        let child = try ChildProcess(trial.arguments, errorsIn: scratch.path)
        let end = child.readLines(timeout: 60) { line in
            switch line.first {
            case "P": points += 1
            case "D": isDone = true
            default: violations.append(String(line.dropFirst(2)))
            }
        }
        if !isDone { violations.append("the process has ended with \(end): \(child.errorMessage)") }
        return (points, violations)
    }
}
