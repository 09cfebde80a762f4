import FaultInjection
import LaboratorySupport

/// The process that tries the points of one scenario and one fault, in which a trap does no harm to the lane.
///
/// It writes a line for each point: `P` and the number before the point is tried, `V` and a sentence for a violation, and
/// at the end `D`, or `E` and an error of the lane itself.
enum FaultsChild {
    /// Tries the points from one on.
    static func run(
        _ scenario: some Scenario, _ fault: Fault, from first: Int, budget: Int?, in scratch: ScratchFolder
    ) async throws {
        let trial = try await Trial(scenario, in: scratch)
        let stride = try await stride(trial, fault, budget)
        var point = first
        while true {
            writeLine("P \(point)")
            let (isFailed, problems) = try await trial.run(fault, at: point)
            for problem in problems {
                let text = problem.split(separator: "\n").joined(separator: " ")
                writeLine("V \(fault.rawValue) \(point) (\(String(cString: fault_failed_name()))): \(text)")
            }
            guard isFailed else { break }
            point += stride
        }
        writeLine("D")
    }

    /// The distance between two points, so that there are about as many as a budget. It is odd: the number of a point decides
    /// how the store is closed.
    private static func stride(_ trial: Trial<some Scenario>, _ fault: Fault, _ budget: Int?) async throws -> Int {
        guard let budget else { return 1 }
        return try await trial.count(fault) / budget | 1
    }
}
