import Foundation
import LaboratorySQLite
import LaboratorySupport

/// Compares the results of both sides, script by script, each in a process of its own: SQLite may stop it.
enum Comparison {
    /// What has other results on each side: the time, and the folder of the files.
    private static let changing = ["'now'", "current_time", "current_date", "database_list"]
    /// What stores random numbers: the function, and an insert into a table of `rowid.test` that has a row with the greatest rowid.
    private static let random = ["random", "insert into t7 values(null,'b')"]

    static func run(_ folder: URL, in scratch: ScratchFolder) throws -> (points: Int, violations: [String]) {
        let scripts = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "test" }.sorted { $0.path < $1.path }
        var (points, violations): (Int, [String]) = (0, [])
        for script in scripts {
            // Some scripts write files beside themselves.
            FileManager.default.changeCurrentDirectoryPath(try scratch.emptyFolder("work"))
            let child = try ChildProcess(["script", script.path], errorsIn: scratch.path)
            let end = child.readLines(timeout: 600) { line in
                if let count = Int(line) {
                    points += count
                } else {
                    violations.append("\(script.lastPathComponent): \(line)")
                }
            }
            if end != .exited(0) { violations.append("\(script.lastPathComponent): \(end) \(child.errorMessage)") }
        }
        return (points, violations)
    }

    /// Compares one script, and writes the number of statements and a line for each difference.
    static func runChild(_ url: URL) throws {
        let script = try TestScript(contentsOf: url)
        let current = FileManager.default.currentDirectoryPath
        let (c, squall) = (try CDatabase(), try SquallDatabase())
        for side in ["c", "squall"] {
            try FileManager.default.createDirectory(atPath: "\(current)/\(side)", withIntermediateDirectories: true)
        }
        var count = 0
        var isRandom = false
        for block in script.blocks {
            FileManager.default.changeCurrentDirectoryPath("\(current)/c")
            let steps = c.run(block)
            FileManager.default.changeCurrentDirectoryPath("\(current)/squall")
            for step in steps {
                let isInterrupted = step.outcome.failure?.code == SQLITE_INTERRUPT
                let outcome = try squall.run(step.sql, isInterrupted: isInterrupted)
                count += 1
                let sql = step.sql.lowercased()
                let hasRandom = random.contains { sql.contains($0) }
                let comparesRows = !isInterrupted && !isRandom && !hasRandom
                if let difference = difference(step, outcome, comparesRows: comparesRows) {
                    writeLine(difference)
                }
                // The rows that are stored differ from here on.
                isRandom = isRandom || hasRandom && !isQuery(step.sql)
            }
        }
        writeLine("\(count)")
    }

    private static func difference(_ step: Step, _ outcome: Outcome, comparesRows: Bool) -> String? {
        if step.outcome == outcome || !comparesRows && step.outcome.failure == outcome.failure { return nil }
        let sql = step.sql.lowercased()
        if changing.contains(where: { sql.contains($0) }) { return nil }
        let text = step.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(300)
        if step.outcome.failure != outcome.failure {
            return "\(describe(outcome.failure)) instead of \(describe(step.outcome.failure)) for \(text)"
        }
        return "\(outcome.rowCount) rows instead of \(step.outcome.rowCount), or other values, for \(text)"
    }

    private static func isQuery(_ sql: String) -> Bool {
        sql.drop { $0.isWhitespace }.prefix(6).lowercased() == "select"
    }

    private static func describe(_ failure: Outcome.Failure?) -> String {
        failure.map { "error \($0.code) (\($0.message))" } ?? "success"
    }
}
