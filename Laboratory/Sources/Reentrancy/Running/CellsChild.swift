import Foundation
import LaboratorySupport
import LibraryLog

/// The process that runs cells. It prints a line before each cell and after it, so that the lane knows which one has ended
/// the process.
enum CellsChild {
    /// Runs the cells of a situation with the numbers first, first + stride, …
    static func run(situation name: String, first: Int, stride step: Int, in folder: String) throws {
        guard let situation = Situation.all.first(where: { $0.name == name }) else {
            throw SceneError("there is no situation \(name)")
        }
        guard library_log_install() == 0 else { throw SceneError("SQLite cannot be configured") }
        let template = "\(folder)/template"
        try Template.make(at: template)
        let cells = Cell.all(in: situation)
        for number in stride(from: first, to: cells.count, by: step) {
            writeLine("begin \(number)")
            var run = CellRun(cells[number], template: template, path: "\(folder)/cell")
            let violations = run.run()
            if ProcessInfo.processInfo.environment["VERBOSE"] == "1" {
                for result in run.results { writeLine("result \(cells[number].description)\t\(result.line)") }
            }
            for violation in violations { writeLine("violation \(number) \(violation.replacing("\n", with: " "))") }
            writeLine("end \(number) \(run.hasMadeCall ? "called" : "skipped")")
        }
        writeLine("done")
    }
}
