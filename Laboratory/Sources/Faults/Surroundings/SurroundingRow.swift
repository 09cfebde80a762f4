import Foundation
import LaboratorySupport

/// The row of a ``Surrounding``, which is tried in a process of its own.
struct SurroundingRow {
    let surrounding: any Surrounding

    func run(_ lane: inout Lane, _ scratch: ScratchFolder) {
        if let reason = surrounding.skipReason { return lane.skip(surrounding.name, because: reason) }
        lane.run(surrounding.name) {
            var points = 0
            var violations: [String] = []
            var isDone = false
            let child = try ChildProcess(["surrounding", surrounding.name], errorsIn: scratch.path)
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

    /// Tries a fault in this process.
    static func runChild(_ name: String) async throws {
        guard let surrounding = allSurroundings.first(where: { $0.name == name }) else { exit(2) }
        let scratch = try ScratchFolder()
        do {
            try await surrounding.run(scratch, Report())
            writeLine("D")
        } catch {
            Report().violation("\(error)")
            writeLine("D")
        }
    }
}
