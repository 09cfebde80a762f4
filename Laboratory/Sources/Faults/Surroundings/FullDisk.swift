import Foundation
import LaboratorySupport
import Squall

/// A disk that becomes full, and has space again.
struct FullDisk: Surrounding {
    var name: String { "full disk" }
    var mountsFolders: Bool { true }

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        for mode in [Configuration.JournalMode.delete, .wal] {
            let path = try folder.emptyFolder("disk")
            let mount = try Mount(size: "1m", at: path)
            defer { mount.unmount() }
            let database = try Database("\(path)/main.db", configuration: .laboratory(mode))
            try await database.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)") }
            let ballast = "\(path)/ballast"
            try Data(count: 200_000).write(to: URL(fileURLWithPath: ballast))
            let count = try await fill(database, report)
            let found: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
            report.check(found == count, "\(count) rows were written, and \(found) are there")
            // Another file is deleted. The database is not opened again.
            try FileManager.default.removeItem(atPath: ballast)
            try await checkIsUsable(database, count, report)
            try await fillOneTransaction(database, report)
            let problems = try await database.read { try $0.integrityCheck() }
            report.check(problems.isEmpty, "\(mode.rawValue): \(problems)")
            try await database.close()
        }
    }

    /// Writes until the disk is full.
    ///
    /// - Returns: The number of rows whose write has returned.
    private func fill(_ database: Database, _ report: Report) async throws -> Int {
        for count in 0..<2_000 {
            report.point()
            do {
                try await database.write { try $0.run("INSERT INTO t(b) VALUES(zeroblob(3000))") }
            } catch ResultCode.full {
                return count
            }
        }
        throw WrongResult("the disk did not become full")
    }

    private func checkIsUsable(_ database: Database, _ count: Int, _ report: Report) async throws {
        try await database.write { try $0.run("DELETE FROM t WHERE a IN (SELECT a FROM t LIMIT 20)") }
        try await database.write { try $0.run("INSERT INTO t(b) VALUES(zeroblob(3000))") }
        let after: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        report.check(after == count - 19, "\(after) rows are left of \(count)")
    }

    /// A transaction that does not fit, whose closure goes on after the error.
    private func fillOneTransaction(_ database: Database, _ report: Report) async throws {
        let before: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        do {
            try await database.write { connection in
                for _ in 0..<2_000 { try? connection.run("INSERT INTO t(b) VALUES(zeroblob(3000))") }
                try connection.run("INSERT INTO t(b) VALUES(1)")
            }
            report.violation("a transaction that lost its rows was committed")
        } catch ResultCode.full {
        } catch ResultCode.transactionLost {
        } catch {
            report.violation("a full disk was reported as \(error)")
        }
        let after: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        report.check(after == before, "\(before) rows before, \(after) after a transaction that failed")
    }
}
