import Foundation
import LaboratorySupport
import Squall

/// Processes that read, change and write one number at the same time. No increment is lost.
enum BusyStorm {
    static let childArgument = "increment"

    static func run(
        in scratch: ScratchFolder, processes: Int, count: Int
    ) throws -> (points: Int, violations: [String]) {
        let file = "\(scratch.path)/storm.db"
        let database = try Database(file)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE n(a INTEGER); INSERT INTO n VALUES(0)") }
        var violations: [String] = []
        let children = try (0..<processes).map { _ in
            try ChildProcess([childArgument, file, "\(count)"], errorsIn: scratch.path)
        }
        for child in children {
            let end = child.readLines(timeout: 120) { _ in }
            if end != .exited(0) { violations.append("a process ended with \(end): \(child.errorMessage)") }
        }
        let number: Int = try database.blocking.read { try $0.query("SELECT a FROM n") }
        if number != processes * count { violations.append("\(number) of \(processes * count) increments") }
        return (processes * count, violations)
    }

    /// Increments the number in a transaction each time.
    static func runChild(file: String, count: Int) -> Int32 {
        do {
            var configuration = Configuration.recommended
            configuration.busyTimeout = .seconds(60)
            let database = try Database(file, configuration: configuration)
            for _ in 0..<count {
                try database.blocking.write { connection in
                    let number: Int = try connection.query("SELECT a FROM n")
                    try connection.run("UPDATE n SET a = \(number + 1)")
                }
            }
            return 0
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 1
        }
    }
}
