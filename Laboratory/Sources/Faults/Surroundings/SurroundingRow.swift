import Foundation
import LaboratorySupport

/// The row of a ``Surrounding``, which is tried in a process of its own.
struct SurroundingRow {
    let surrounding: any Surrounding

    func run(_ lane: inout Lane, _ scratch: ScratchFolder) {
        if let reason = surrounding.skipReason { return lane.skip(surrounding.name, because: reason) }
        lane.run(surrounding.name) {
            let folder = try scratch.emptyFolder("surrounding")
            let child = try ChildProcess(
                ["surrounding", surrounding.name, folder], errorsIn: scratch.path,
                hasOwnMounts: surrounding.mountsFolders)
            let outcome = ChildOutcome(of: child, timeout: 60)
            return (outcome.points, outcome.violations)
        }
    }

    /// Tries a fault in this process: `surrounding name folder`.
    static func runChild(_ arguments: [String]) async throws {
        guard arguments.count == 2, let surrounding = allSurroundings.first(where: { $0.name == arguments[0] }) else {
            throw WrongResult("usage: surrounding name folder")
        }
        let report = Report()
        do {
            try await surrounding.run(ScratchFolder(ofLane: arguments[1]), report)
        } catch {
            report.violation("\(error)")
        }
        report.end()
    }
}
