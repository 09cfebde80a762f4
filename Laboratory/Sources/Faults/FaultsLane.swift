import FaultInjection
import Foundation
import LaboratorySupport

/// `make faults`: every system call and every allocation of a scenario fails once, and from there on.
@main
struct FaultsLane {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "scenario": try await runScenario(Array(arguments.dropFirst()))
        case "surrounding": try await SurroundingRow.runChild(Array(arguments.dropFirst()))
        case "hot": try HotJournal.runWriter(arguments.last ?? "")
        default: exit(try runLane())
        }
    }

    /// Runs the points of one scenario: `scenario name fault first budget [folder]`.
    private static func runScenario(_ arguments: [String]) async throws {
        guard [4, 5].contains(arguments.count), let fault = Fault(rawValue: arguments[1]),
            let first = Int(arguments[2]),
            let scenario = allScenarios.first(where: { $0.name == arguments[0] })
        else { throw WrongResult("usage: scenario name fault first budget [folder]") }
        guard fault_install() == 0 else { throw WrongResult("SQLite cannot be configured") }
        do {
            let scratch = try arguments.count == 5 ? ScratchFolder(ofLane: arguments[4]) : ScratchFolder()
            try await FaultsChild.run(scenario, fault, from: first, budget: Int(arguments[3]), in: scratch)
        } catch {
            writeLine("E \(error)".split(separator: "\n").joined(separator: " "))
            exit(2)
        }
    }

    private static func runLane() throws -> Int32 {
        let options = LaneOptions()
        writeLine("seed \(options.seed)")
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        var lane = Lane("faults")
        for row in FaultsRow.all where options.includes(row.name) {
            row.run(&lane, options, scratch)
        }
        for surrounding in allSurroundings where options.includes(surrounding.name) {
            SurroundingRow(surrounding: surrounding).run(&lane, scratch)
        }
        writeLine(lane.summary)
        return lane.exitStatus
    }
}
