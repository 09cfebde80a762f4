import FaultInjection
import LaboratorySupport
import Squall

/// A process without free descriptors: what needs one throws, and works when there are some again.
struct ExhaustedDescriptors: Surrounding {
    var name: String { "exhausted descriptors" }

    /// So many free descriptors are enough for a writer and two readers.
    private static let enough = 12

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        let path = try folder.emptyFolder("files") + "/main.db"
        let prepared = try Database(path, configuration: .laboratory())
        try await prepared.write { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)") }
        try await prepared.close()
        var written = 0
        for free in 0...Self.enough {
            report.point()
            var database: Database?
            var failure: (any Error)?
            report.check(fault_limit_descriptors(Int32(free)), "the limit cannot be set")
            do {
                let opened = try Database(path, configuration: .laboratory())
                database = opened
                try await work(opened, &written, report)
            } catch {
                failure = error
            }
            report.check(fault_limit_descriptors(-1), "the limit cannot be lifted")
            check(failure, free, report)
            do {
                try await useAfterwards(try database ?? Database(path, configuration: .laboratory()), &written, report)
            } catch {
                report.violation("with descriptors again, after \(free): \(error)")
            }
        }
    }

    private func work(_ database: Database, _ written: inout Int, _ report: Report) async throws {
        try await database.write { try $0.run("INSERT INTO t DEFAULT VALUES") }
        written += 1
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        report.check(count == written, "\(written) rows were written, and \(count) are there")
        var iterator = database.observe("SELECT count(*) FROM t", as: Int.self).makeAsyncIterator()
        let observed = try await iterator.next()
        report.check(observed == written, "\(written) rows were written, and \(observed ?? -1) are observed")
    }

    /// Nothing can be opened without a descriptor, and nothing fails with enough of them.
    private func check(_ failure: (any Error)?, _ free: Int, _ report: Report) {
        switch failure {
        case nil: report.check(free > 0, "a database was opened without a free descriptor")
        case let error? where free == Self.enough: report.violation("\(free) descriptors were not enough: \(error)")
        case ResultCode.cantOpen?, ResultCode.ioError?: break
        case let error?: report.violation("missing descriptors were reported as \(error)")
        }
    }

    /// The same database works when the limit is lifted, and has what was written before.
    private func useAfterwards(_ database: Database, _ written: inout Int, _ report: Report) async throws {
        try await database.write { try $0.run("INSERT INTO t DEFAULT VALUES") }
        written += 1
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        report.check(count == written, "\(written) rows were written, and \(count) are there")
        try await database.close()
    }
}
