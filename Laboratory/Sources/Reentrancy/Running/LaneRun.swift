import Foundation
import LaboratorySupport

/// The rows of the lane, of which some run at the same time.
///
/// Sendable, because the properties that change are used under the lock.
final class LaneRun: @unchecked Sendable {
    private let options: LaneOptions
    private let scratch: ScratchFolder
    private let lock = NSLock()
    private var waiting: [Situation]
    private var lane = Lane("reentrancy")

    init(_ options: LaneOptions) throws {
        self.options = options
        scratch = try ScratchFolder()
        waiting = Situation.all.filter { options.includes($0.name) }.reversed()
    }

    /// Runs all rows. Returns the exit status.
    func run(symbolGraphs: String?) -> Int32 {
        checkMethods(symbolGraphs)
        DispatchQueue.concurrentPerform(iterations: Self.workers) { worker in
            while let situation = lock.withLock({ waiting.popLast() }) { run(situation, worker) }
        }
        writeLine(lane.summary)
        return lane.exitStatus
    }

    /// The number of child processes at a time.
    private static let workers = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))

    private func checkMethods(_ symbolGraphs: String?) {
        let name = "every public method has a call"
        guard options.includes(name) else { return }
        if let symbolGraphs {
            lane.run(name) { try Coverage.check(PublicMethods(symbolGraphs: symbolGraphs)) }
        } else {
            lane.skip(name, because: "SYMBOLS does not name a folder of symbol graphs")
        }
    }

    private func run(_ situation: Situation, _ worker: Int) {
        let start = ContinuousClock.now
        var outcome: (points: Int, violations: [String])
        do {
            let folder = try scratch.emptyFolder("cells\(worker)")
            outcome = try SituationRun(situation: situation, options: options, folder: folder).run()
            if outcome.points == 0 { outcome.violations.append("no cell was tried") }
        } catch {
            outcome = (0, ["the lane itself failed: \(error)"])
        }
        let result = FaultResult(
            fault: situation.name, points: outcome.points, violations: outcome.violations,
            duration: ContinuousClock.now - start)
        lock.withLock { lane.add(result) }
    }
}
