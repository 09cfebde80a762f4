import Foundation
import LaboratorySupport
import Squall

/// The journal of a transaction whose process was killed, and a connection that may not roll it back.
struct HotJournal: Surrounding {
    var name: String { "hot journal without permission to write" }

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        let path = try folder.emptyFolder("hot")
        let child = try ChildProcess(["hot", path], errorsIn: folder.path)
        report.check(child.wait() == .signalled(SIGKILL, message: ""), "the writer was not killed")
        report.check(
            FileManager.default.fileExists(atPath: "\(path)/main.db-journal"), "the writer has left no journal")
        report.point()
        do {
            let reader = try Connection("\(path)/main.db", mode: .readOnly, configuration: .laboratory(nil))
            defer { reader.close() }
            let count: Int = try reader.query("SELECT count(*) FROM t")
            report.violation("a reader has found \(count) rows of a transaction that was not committed")
        } catch ResultCode(rawValue: 776) {
            // SQLITE_READONLY_ROLLBACK
        }
        report.point()
        do {
            _ = try Connection("\(path)/main.db", mode: .immutable)
            report.violation("a file with a hot journal was opened as immutable")
        } catch let error as SQLiteError
            where error.kind == .problem(FileProblem.hasUnappliedChanges, of: .file("\(path)/main.db-journal"))
        {
        }
        report.point()
        let writer = try Connection("\(path)/main.db", configuration: .laboratory(nil))
        defer { writer.close() }
        let count: Int = try writer.query("SELECT count(*) FROM t")
        report.check(count == 1, "\(count) rows after the rollback")
        report.check(try writer.integrityCheck().isEmpty, "the file is damaged after the rollback")
    }

    /// Writes pages of a transaction into the file, and kills the process.
    static func runWriter(_ folder: String) throws {
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory(.delete))
        try connection.execute("PRAGMA cache_size = 5; CREATE TABLE t(a); INSERT INTO t VALUES(1); BEGIN")
        for _ in 0..<2_000 { try connection.run("INSERT INTO t VALUES(randomblob(900))") }
        kill(getpid(), SIGKILL)
    }
}
