import Foundation
import LaboratorySupport
import Synchronization

/// A row of the lane: the faults of one kind in one scenario.
struct FaultsRow {
    let scenario: any Scenario
    let faults: [Fault]
    let name: String

    static var all: [FaultsRow] {
        allScenarios.flatMap { scenario in
            [
                FaultsRow(scenario: scenario, faults: Fault.inputAndOutput, name: "\(scenario.name), I/O"),
                FaultsRow(scenario: scenario, faults: Fault.memory, name: "\(scenario.name), memory"),
            ]
        }
    }

    /// Runs the faults, as many at a time as the machine has cores, and adds the row.
    func run(_ lane: inout Lane, _ options: LaneOptions, _ scratch: ScratchFolder) {
        let results = Mutex((points: 0, violations: [String]()))
        let scenario = scenario.name
        lane.run(name) {
            DispatchQueue.concurrentPerform(iterations: faults.count) { index in
                let job = FaultsJob(scenario: scenario, fault: faults[index], options: options)
                let outcome: (points: Int, violations: [String])
                do {
                    outcome = try job.run(scratch)
                } catch {
                    outcome = (0, ["\(scenario) \(faults[index].rawValue): \(error)"])
                }
                results.withLock {
                    $0.points += outcome.points
                    $0.violations += outcome.violations
                }
            }
            return results.withLock { ($0.points, $0.violations) }
        }
    }
}
