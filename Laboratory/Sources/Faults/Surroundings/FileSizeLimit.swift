import FaultInjection
import LaboratorySupport
import Squall

/// Files that must not become larger than a limit of the process.
struct FileSizeLimit: Surrounding {
    var name: String { "limit of the size of files" }

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        for mode in [Configuration.JournalMode.delete, .wal] {
            for kilobytes in stride(from: 16, through: 128, by: 16) {
                let path = try folder.emptyFolder("limit")
                let database = try Database("\(path)/main.db", configuration: .laboratory(mode))
                try await database.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)") }
                report.check(fault_limit_file_size(Int64(kilobytes * 1024)), "the limit cannot be set")
                var count = 0
                do {
                    while count < 1_000 {
                        try await database.write { try $0.run("INSERT INTO t(b) VALUES(zeroblob(3000))") }
                        count += 1
                    }
                    report.violation("no write has failed")
                } catch ResultCode.ioError {
                } catch ResultCode.full {
                } catch {
                    report.violation("the limit was reported as \(error)")
                }
                report.check(fault_limit_file_size(-1), "the limit cannot be lifted")
                report.point()
                try await check(database, count, report)
            }
        }
    }

    private func check(_ database: Database, _ count: Int, _ report: Report) async throws {
        let found: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        report.check(found == count, "\(count) rows were written, and \(found) are there")
        try await database.write { try $0.run("INSERT INTO t(b) VALUES(zeroblob(3000))") }
        let problems = try await database.read { try $0.integrityCheck() }
        report.check(problems.isEmpty, "\(problems)")
        try await database.close()
    }
}
