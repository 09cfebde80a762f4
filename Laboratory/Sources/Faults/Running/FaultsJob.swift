import Foundation
import LaboratorySupport

/// A scenario and a fault, whose points are tried in a process of their own, and in another one after each trap.
struct FaultsJob {
    let scenario: String
    let fault: Fault
    let options: LaneOptions

    /// Tries the points.
    func run(_ scratch: ScratchFolder) throws -> (points: Int, violations: [String]) {
        var points = 0
        var violations: [String] = []
        var next = options.isShort ? 1 + Int(options.seed % 7) : 1
        var trapCount = 0
        while trapCount < Self.maximumTraps {
            var current = next
            var isDone = false
            let folder = try scratch.emptyFolder(fault.rawValue)
            let child = try ChildProcess(arguments(from: next) + [folder], errorsIn: scratch.path)
            let end = child.readLines(timeout: 30) { line in
                let text = line.dropFirst(2)
                switch line.first {
                case "P":
                    current = Int(text) ?? current
                    points += 1
                case "V": violations.append("\(scenario) \(text)")
                case "D": isDone = true
                case "E": violations.append("\(scenario) \(fault.rawValue): \(text)")
                default: violations.append("\(scenario): unexpected output: \(line)")
                }
            }
            // The last point is the one that is never reached.
            if isDone { points -= 1 }
            if isDone, end == .exited(0) { break }
            violations.append("\(scenario) \(fault.rawValue) \(current): \(describe(end, child))")
            trapCount += 1
            if case .exited = end { break }
            if isDone { break }
            next = current + 1
        }
        return (points, violations)
    }

    private func arguments(from point: Int) -> [String] {
        ["scenario", scenario, fault.rawValue, "\(point)", options.isShort ? "\(Self.shortBudget)" : "all"]
    }

    private func describe(_ end: ChildProcess.End, _ child: ChildProcess) -> String {
        switch end {
        case .exited(let status): "the process ended with status \(status): \(child.errorMessage)"
        case .signalled(let signal, let message): "the process was ended by signal \(signal): \(message)"
        case .silent(let seconds): "nothing happened for \(seconds) seconds"
        }
    }

    private static let maximumTraps = 10
    /// The number of points of a job in the short form.
    private static let shortBudget = 20
}
