import Foundation
import LaboratorySupport
import Squall

/// Another process that reads and writes the file while the steps run. Its transactions leave the common tables as they were.
final class OutsiderProcess {
    private let child: ChildProcess
    private let folder: String

    /// The table that only the process writes.
    static let definition = "CREATE TABLE outsiders(id INTEGER PRIMARY KEY)"

    init(_ process: PairProcess) throws {
        folder = process.folder
        child = try process.start()
    }

    /// Ends the process, and requires that it has found nothing wrong.
    func end() throws {
        _ = FileManager.default.createFile(atPath: Self.end(of: folder), contents: nil)
        let outcome = ChildOutcome(of: child, timeout: 60)
        try require(
            outcome.violations.isEmpty, "another process: \(outcome.violations.prefix(3).joined(separator: "; "))")
        try require(outcome.points > 0, "another process has committed nothing")
    }

    /// The file that tells the process to end.
    private static func end(of folder: String) -> String { "\(folder)/end" }

    /// Works until it is told to end, or until the lane has ended.
    static func runChild(_ process: PairProcess) throws {
        let lane = getppid()
        let (parts, shape) = process.pair.makeParts()
        var settings = WorldSettings(folder: process.folder)
        for part in parts { part.configure(&settings) }
        let connection = try Connection(
            "\(process.folder)/main.db", mode: .existing, configuration: settings.configuration)
        for prepare in settings.preparations { try prepare(connection) }
        let (verbs, report) = (ItemVerbs.make(for: shape), Report())
        var dice = Dice(seed: process.seed)
        var count = 0
        while getppid() == lane, count == 0 || !FileManager.default.fileExists(atPath: end(of: process.folder)) {
            do {
                try connection.transaction {
                    try connection.run("INSERT INTO outsiders DEFAULT VALUES")
                    // An undo is right to refuse tables where a trigger of the program has left rows.
                    if !shape.hasTriggers {
                        let row = ItemRow(id: 60_000, &dice)
                        try verbs.insert(connection, [row])
                        try require(verbs.delete(connection, row), "a row was not there")
                    }
                    let model = try World.rows(of: connection, verbs)
                    for part in parts { try part.check(connection, model) }
                }
                count += 1
                try connection.transaction(transactionType: .deferred) {
                    let rows = try World.rows(of: connection, verbs)
                    try require(World.rows(of: connection, verbs), equals: rows, "rows of one transaction")
                    let found: Int = try connection.query("SELECT count(*) FROM outsiders")
                    try require(found == count, "\(found) transactions of \(count)")
                }
                report.point()
            } catch ResultCode.busy {
                // The lane may have the lock for longer than a connection waits.
            } catch {
                report.violation("\(error)")
                break
            }
            usleep(UInt32(dice.number(below: 8_000)))
        }
        connection.close()
        report.end()
    }
}
