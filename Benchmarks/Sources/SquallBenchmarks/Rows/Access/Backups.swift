import SquallSQLite
import Foundation
import GRDB
import Squall

// A file of 100 MB into a fresh one, 1,000 pages a step. The destinations are opened before and not flushed to the disk, so
// that the copying is measured and not the disk.

private let pagesPerStep: Int32 = 1000

extension Benchmark {
    static let backups = [
        Benchmark(name: "backup-100-mb", toC: 1.05, toGRDB: 1.05) { fixtures in
            let path = try fixtures.hundredMegabytes()
            let c = try CDatabase(path)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            func cell<Destination>(
                _ side: Side, open: @escaping (String) throws -> Destination,
                copy: @escaping (Destination) throws -> Void
            ) -> Cell {
                Cell(
                    before: {
                        let path = fixtures.freshFile(for: "backup", side)
                        return (path, try open(path))
                    },
                    work: { try copy($0.1) },
                    check: { context, _ in
                        try CDatabase.checksum(of: context.0, "SELECT count(*), sum(length(bytes)), max(id) FROM t")
                    }
                )
            }
            return [
                .c: cell(.c, open: { try CDatabase($0, synchronous: "OFF") }, copy: { try c.backup(to: $0) }),
                .squall: cell(
                    .squall, open: { try Connection.toWrite($0) },
                    copy: { try squall.backup(to: $0, pagesPerStep: pagesPerStep).run() }
                ),
                .grdb: cell(
                    .grdb, open: { try DatabaseQueue.toWrite($0) },
                    copy: { try grdb.backup(to: $0, pagesPerStep: pagesPerStep) }
                ),
            ]
        }
    ]
}

extension CDatabase {
    fileprivate func backup(to destination: CDatabase) throws {
        guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
            throw destination.failure
        }
        var code = SQLITE_OK
        while code == SQLITE_OK { code = sqlite3_backup_step(backup, pagesPerStep) }
        guard sqlite3_backup_finish(backup) == SQLITE_OK, code == SQLITE_DONE else { throw destination.failure }
    }
}

extension Fixtures {
    /// 25,600 rows of a page each.
    fileprivate func hundredMegabytes() throws -> String {
        try file(
            "hundred-megabytes",
            script: """
                CREATE TABLE t(id INTEGER PRIMARY KEY, bytes BLOB);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(25_600)))
                INSERT INTO t SELECT n, randomblob(4000) FROM numbers
                """
        )
    }
}
