import Foundation
import LaboratorySupport
import Squall

/// A file that is deleted or replaced while a database has it open. The database notices, and acknowledges no later write.
enum ReplacedFiles {
    /// The time after which no write may begin that is acknowledged: many ticks of the clock that Squall uses.
    private static let patience = Duration.milliseconds(100)

    static func run(in scratch: ScratchFolder, rounds: Int) throws -> (points: Int, violations: [String]) {
        var violations: [String] = []
        for round in 0..<rounds {
            for replaces in [false, true] {
                let folder = try scratch.emptyFolder("replaced-\(round)-\(replaces)")
                let file = "\(folder)/data.db"
                let database = try Database(file)
                try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
                if replaces {
                    let other = try Database("\(folder)/other.db")
                    try other.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
                    try other.close()
                    guard rename("\(folder)/other.db", file) == 0 else { throw POSIXError(.EIO) }
                } else {
                    try FileManager.default.removeItem(atPath: file)
                }
                let problem = writeUntilNoticed(in: database) ?? useAfterwards(database)
                if let problem { violations.append("round \(round), \(replaces): \(problem)") }
                try? database.blocking.close()
            }
        }
        return (rounds * 2, violations)
    }

    /// Writes until a write is refused. Returns what does not hold.
    private static func writeUntilNoticed(in database: Database) -> String? {
        let start = ContinuousClock.now
        while true {
            let time = ContinuousClock.now - start
            do {
                try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
            } catch ResultCode.fileMoved {
                return nil
            } catch {
                return "\(error)"
            }
            if time > patience { return "a write that began after \(time) was acknowledged" }
        }
    }

    /// Uses the database after it has noticed. Returns what does not hold.
    private static func useAfterwards(_ database: Database) -> String? {
        for number in 0..<20 {
            let calls: [(name: String, call: () throws -> Void)] = [
                ("write", { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(3)") } }),
                ("transaction", { try database.blocking.write { try $0.run("INSERT INTO t VALUES(4)") } }),
                ("read", { try database.blocking.read { try $0.run("SELECT count(*) FROM t") } }),
            ]
            for (name, call) in calls {
                do {
                    try call()
                    return "\(name) \(number) after the discovery has returned"
                } catch ResultCode.fileMoved {
                } catch {
                    return "\(name) \(number) after the discovery: \(error)"
                }
            }
        }
        return nil
    }
}
