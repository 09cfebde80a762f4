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
        case "surrounding": try await SurroundingRow.runChild(arguments.last ?? "")
        case "hot": try HotJournal.runWriter(arguments.last ?? "")
        default: exit(try runLane())
        }
    }

    /// Runs the points of one scenario: `scenario name fault first budget`.
    private static func runScenario(_ arguments: [String]) async throws {
        guard arguments.count == 4, let fault = Fault(rawValue: arguments[1]), let first = Int(arguments[2]),
            let scenario = allScenarios.first(where: { $0.name == arguments[0] })
        else { throw WrongResult("usage: scenario name fault first budget") }
        guard fault_install() == 0 else { throw WrongResult("SQLite cannot be configured") }
        do {
            try await FaultsChild.run(scenario, fault, from: first, budget: Int(arguments[3]))
        } catch {
            writeLine("E \(error)".split(separator: "\n").joined(separator: " "))
            exit(2)
        }
    }

    private static func runLane() throws -> Int32 {
        let options = LaneOptions()
        writeLine("seed \(options.seed)")
        let scratch = try ScratchFolder()
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
