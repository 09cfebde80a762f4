import FaultInjection
import LaboratorySupport
import Squall

/// A process without free descriptors: what needs one throws, and works when there are some again.
struct ExhaustedDescriptors: Surrounding {
    var name: String { "exhausted descriptors" }

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        let path = try folder.emptyFolder("files")
        let prepared = try Database("\(path)/main.db", configuration: .laboratory())
        try await prepared.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)") }
        try await prepared.shutDown()
        var written = 0
        for free in 0...12 {
            report.point()
            let used = Int(fault_descriptor_count())
            fault_limit_descriptors(Int32(used + free))
            do {
                let database = try Database("\(path)/main.db", configuration: .laboratory())
                try await work(database, &written, report)
                fault_limit_descriptors(-1)
                try await database.write { try $0.run("INSERT INTO t DEFAULT VALUES") }
                written += 1
                try await check(database, written, report)
            } catch {
                fault_limit_descriptors(-1)
                checkCode(error, report)
            }
        }
    }

    private func work(_ database: Database, _ written: inout Int, _ report: Report) async throws {
        do {
            try await database.write { try $0.run("INSERT INTO t DEFAULT VALUES") }
            written += 1
            let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
            report.check(count == written, "\(written) rows were written, and \(count) are there")
            var iterator = database.observe("SELECT count(*) FROM t", as: Int.self).makeAsyncIterator()
            _ = try await iterator.next()
        } catch {
            checkCode(error, report)
        }
    }

    private func check(_ database: Database, _ written: Int, _ report: Report) async throws {
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        report.check(count == written, "\(written) rows were written, and \(count) are there")
        try await database.shutDown()
    }

    private func checkCode(_ error: any Error, _ report: Report) {
        switch error {
        case ResultCode.cantOpen, ResultCode.ioError: break
        default: report.violation("missing descriptors were reported as \(error)")
        }
    }
}
