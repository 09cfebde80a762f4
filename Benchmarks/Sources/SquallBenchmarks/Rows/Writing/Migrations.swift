import Foundation
import GRDB
import Squall

// A million rows into a table with another column constraint, by a version of a schema and by the same statements by hand;
// and what a look costs at a file that is up to date already: a thousand times opened on all sides, and looked at by Squall
// (the column of C is Squall without the look; GRDB looks with its own migrator).

private let schema = Squall.Schema("big") {
    Version(1) {
        CreateTable("big") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("name", String?.self)
            ColumnDef("price", Double?.self)
        }
    }
    Version(2) {
        AlterTable("big") { ChangeColumn("name", to: String.self) }
    }
}

private let byHand = """
    PRAGMA foreign_keys = OFF;
    BEGIN IMMEDIATE;
    CREATE TABLE squall_new_big(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
    INSERT INTO squall_new_big(id, name, price) SELECT id, name, price FROM big;
    DROP TABLE big;
    ALTER TABLE squall_new_big RENAME TO big;
    COMMIT
    """

extension Benchmark {
    static let migrations = [
        Benchmark(name: "rebuild-million", toC: 1.10, toGRDB: nil) { fixtures in
            let path = fixtures.folder.appending(path: "big-1").path
            if !FileManager.default.fileExists(atPath: path) {
                let connection = try Connection.toWrite(path)
                try schema.migrate(connection, to: 1)
                try connection.run(
                    """
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(1_000_000)))
                    INSERT INTO big SELECT n, printf('car number %d', n), n / 8.0 FROM numbers
                    """
                )
                connection.close()
            }
            func cell<Database>(
                _ side: Side, open: @escaping (String) throws -> Database, work: @escaping (Database) throws -> Void
            ) -> Cell {
                Cell(
                    before: {
                        let copy = fixtures.freshFile(for: "rebuild", side)
                        try FileManager.default.copyItem(atPath: path, toPath: copy)
                        return (copy, try open(copy))
                    },
                    work: { try work($0.1) },
                    check: { context, _ in
                        try CDatabase.checksum(of: context.0, "SELECT count(*), sum(length(name)), sum(price) FROM big")
                    }
                )
            }
            return [
                .c: cell(.c, open: { try CDatabase($0, synchronous: "OFF") }, work: { try $0.execute(byHand) }),
                .squall: cell(.squall, open: { try Connection.toWrite($0) }, work: { try schema.migrate($0) }),
                .grdb: cell(
                    .grdb, open: { try DatabaseQueue.toWrite($0) },
                    work: { queue in try queue.inDatabase { try $0.execute(sql: byHand) } }
                ),
            ]
        },
        Benchmark(name: "migration-check", isVariant: true) { fixtures in
            let path = fixtures.folder.appending(path: "up-to-date").path
            try schema.migrate(Connection.toWrite(path))
            let grdbPath = fixtures.folder.appending(path: "up-to-date-grdb").path
            let migrator: DatabaseMigrator = {
                var migrator = DatabaseMigrator()
                migrator.registerMigration("1") { try $0.execute(sql: "CREATE TABLE big(id INTEGER PRIMARY KEY)") }
                migrator.registerMigration("2") { try $0.execute(sql: "ALTER TABLE big ADD COLUMN name TEXT") }
                return migrator
            }()
            try migrator.migrate(DatabaseQueue.toWrite(grdbPath))
            return [
                .c: Cell { try opened(scaled(1000)) { _ = try Connection.toWrite(path).userVersion } },
                .squall: Cell {
                    try opened(scaled(1000)) {
                        let connection = try Connection.toWrite(path)
                        try schema.migrate(connection)
                        _ = try connection.userVersion
                    }
                },
                .grdb: Cell { try opened(scaled(1000)) { try migrator.migrate(DatabaseQueue.toWrite(grdbPath)) } },
            ]
        },
    ]
}

private func opened(_ count: Int, _ body: () throws -> Void) rethrows -> Int {
    for _ in 0..<count { try body() }
    return count
}
