import Foundation
import LaboratorySupport
import Squall

/// A file that is deleted or replaced while a database has it open. The database notices, and acknowledges no later write.
enum ReplacedFiles {
    static func run(in scratch: ScratchFolder, rounds: Int) throws -> (points: Int, violations: [String]) {
        var violations: [String] = []
        for round in 0..<rounds {
            for replaces in [false, true] {
                let folder = try scratch.emptyFolder("replaced-\(round)-\(replaces)")
                let file = "\(folder)/data.db"
                let database = try Database(file)
                try database.executeWrite { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
                if replaces {
                    let other = try Database("\(folder)/other.db")
                    try other.executeWrite { try $0.execute("CREATE TABLE t(a)") }
                    try other.close()
                    guard rename("\(folder)/other.db", file) == 0 else { throw POSIXError(.EIO) }
                } else {
                    try FileManager.default.removeItem(atPath: file)
                }
                if let problem = problem(of: database) { violations.append("round \(round), \(replaces): \(problem)") }
                try? database.close()
            }
        }
        return (rounds * 2, violations)
    }

    /// Writes until a write is refused.
    private static func problem(of database: Database) -> String? {
        let clock = ContinuousClock()
        let start = clock.now
        while clock.now - start < .seconds(3) {
            do {
                try database.executeWrite { try $0.run("INSERT INTO t VALUES(2)") }
            } catch let error as SQLiteError where error.extendedResultCode == .fileMoved {
                return nil
            } catch {
                return "\(error)"
            }
        }
        return "writes were acknowledged for 3 s"
    }
}
