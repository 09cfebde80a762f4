import Foundation
import LaboratorySupport
import Squall

/// A log whose end is cut off, or in which bytes are damaged: the commits before the place remain, and no others.
struct DamagedLog: Surrounding {
    var name: String { "truncated and damaged log" }

    private static let commitCount = 10

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        let path = try folder.emptyFolder("log")
        let database = try Database("\(path)/main.db", configuration: .laboratory())
        try await database.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)") }
        try await database.checkpoint(.truncate)
        // The size of the log after each commit.
        var ends: [Int] = []
        for _ in 0..<Self.commitCount {
            try await database.write { try $0.run("INSERT INTO t(b) VALUES(randomblob(5000))") }
            ends.append(try Data(contentsOf: URL(fileURLWithPath: "\(path)/main.db-wal")).count)
        }
        let file = try Data(contentsOf: URL(fileURLWithPath: "\(path)/main.db"))
        let log = try Data(contentsOf: URL(fileURLWithPath: "\(path)/main.db-wal"))
        try await database.close()
        report.check(ends == ends.sorted() && ends.last == log.count, "the log has not grown by each commit: \(ends)")
        for place in stride(from: 0, to: log.count, by: 397) {
            var damaged = log
            damaged[place] ^= 0xff
            let expected = ends.filter { $0 <= place }.count
            for (what, log) in [("cut off", log.prefix(place)), ("damaged", damaged)] {
                report.point()
                do {
                    let count = try open(file, log, folder)
                    report.check(
                        count == expected, "the log is \(what) at byte \(place): \(count) commits, not \(expected)")
                } catch {
                    report.violation("the log is \(what) at byte \(place): \(error)")
                }
            }
        }
    }

    /// Opens a file with a log, and returns how many commits it has.
    private func open(_ file: Data, _ log: Data, _ scratch: ScratchFolder) throws -> Int {
        let folder = try scratch.emptyFolder("copy")
        try file.write(to: URL(fileURLWithPath: "\(folder)/main.db"))
        try log.write(to: URL(fileURLWithPath: "\(folder)/main.db-wal"))
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory())
        defer { connection.close() }
        let ids: [Int] = try connection.query("SELECT a FROM t ORDER BY a")
        try expect(ids, [Int](1..<ids.count + 1))
        try expect(try connection.integrityCheck(), [])
        try connection.run("INSERT INTO t(b) VALUES(1)")
        return ids.count
    }
}
