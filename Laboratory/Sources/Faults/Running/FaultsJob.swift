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
                if line.hasPrefix("P "), let point = Int(text) {
                    current = point
                    points += 1
                } else if line.hasPrefix("V ") {
                    violations.append("\(scenario) \(text)")
                } else if line == "D" {
                    isDone = true
                } else if line.hasPrefix("E ") {
                    violations.append("\(scenario) \(fault.rawValue): \(text)")
                } else {
                    violations.append("\(scenario): unexpected output: \(line)")
                }
            }
            // The last point is the one that is never reached.
            if isDone { points -= 1 }
            if isDone, end == .exited(0) { break }
            violations.append("\(scenario) \(fault.rawValue) \(current): \(child.describe(end))")
            trapCount += 1
            // Another process would end in the same way, or has nothing to try.
            if case .exited = end { break }
            if isDone { break }
            next = current + 1
        }
        return (points, violations)
    }

    private func arguments(from point: Int) -> [String] {
        ["scenario", scenario, fault.rawValue, "\(point)", options.isShort ? "\(Self.shortBudget)" : "all"]
    }

    private static let maximumTraps = 10
    /// The number of points of a job in the short form.
    private static let shortBudget = 20
}
