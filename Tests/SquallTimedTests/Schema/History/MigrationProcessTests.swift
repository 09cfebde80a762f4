import Foundation
import Squall
import SquallTestSupport
import Testing

/// Migrations in processes of their own.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct MigrationProcessTests {
    @Test func severalProcessesDoItOnce() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("m.db")
        let processes = try (0..<3).map { _ in try TestProcess(["migrate", path, "30"]) }
        let counts = try processes.map { process in
            let (output, code) = try process.end()
            #expect(code == 0)
            return Int(output.trimmingCharacters(in: .newlines)) ?? -1
        }
        // (A commit that another process's look keeps from the file is rolled back, and the version is run again.)
        #expect(counts.reduce(0, +) >= 30)
        let connection = try Connection(path)
        #expect(try connection.query("SELECT version FROM squall_versions ORDER BY version") == Array(1...30))
        #expect(try connection.tableNames().count == 31)
    }

    /// While this one waits for the first version of another one, which needs foreign keys, the second becomes the next.
    @Test func anotherOneIsFasterByAVersion() throws {
        let directory = try TemporaryDirectory()
        let (isIn, isWaiting) = (Gate(), Gate())
        let schema = Schema("m") {
            Version(1) {
                Execute(
                    """
                    CREATE TABLE parents(id INTEGER PRIMARY KEY, a);
                    CREATE TABLE children(parent INTEGER REFERENCES parents ON DELETE CASCADE);
                    INSERT INTO parents VALUES(1, 'a'); INSERT INTO children VALUES(1);
                    """)
                Execute { _ in
                    isIn.open()
                    isWaiting.wait()
                }
            }
            Version(2) { AlterTable("parents") { ChangeColumn("a", to: String.self) } }
        }
        let path = directory.file("m.db")
        let connection = try Connection(path)
        try connection.busyHandler(
            .custom { _ in
                isWaiting.open()
                return true
            })
        let other = ThreadResult { try schema.migrate(Connection(path), to: 1) }
        isIn.wait()
        #expect(try schema.migrate(connection))
        #expect(try other.get())
        #expect(try connection.query("SELECT version FROM squall_versions ORDER BY version") == [1, 2])
        // The table has been built again without deleting its rows, which would delete those that refer to them.
        #expect(try connection.query("SELECT count(*) FROM children") == 1)
    }

    /// Killed anywhere in the rebuild of 200,000 rows, the file has the old table or the new one, whole.
    @Test(arguments: ["DELETE", "WAL"]) func killedInTheMiddle(journalMode: String) throws {
        let directory = try TemporaryDirectory()
        let original = directory.file("original.db")
        let new = #"CREATE TABLE "t"("a" INTEGER PRIMARY KEY, "b" TEXT NOT NULL CHECK (b <> ''))"#
        do {
            let connection = try Connection(storageLocation: .onDisk(original))
            try connection.execute(
                """
                PRAGMA journal_mode = \(raw: journalMode); CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200000)
                INSERT INTO t SELECT n, 'row ' || n FROM c;
                CREATE INDEX i ON t(b); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END
                """
            )
        }
        var outcomes: Set<Bool> = []
        for round in 0..<15 {
            let path = directory.file("\(round).db")
            try FileManager.default.copyItem(atPath: original, toPath: path)
            let process = try TestProcess(["rebuild", path])
            // It writes some 22 lines.
            for _ in 0..<(round * 3 / 2 + 1) { _ = process.firstOutput() }
            process.kill()
            _ = try process.end()
            let connection = try Connection(storageLocation: .onDisk(path))
            let sql: String = try connection.query("SELECT sql FROM sqlite_master WHERE name = 't'")
            let names: [String] = try connection.query("SELECT name FROM sqlite_master ORDER BY name")
            let isNew = sql == new
            let own = isNew ? ["sqlite_autoindex_squall_versions_1", "squall_versions"] : []
            #expect(isNew || sql == "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
            #expect(names == ["g", "i"] + own + ["t"])
            #expect(try connection.query("SELECT count(*) FROM t WHERE b = 'row ' || a") == 200_000)
            #expect(try connection.integrityCheck() == [])
            #expect(try connection.userVersion == (isNew ? 1 : 0))
            outcomes.insert(isNew)
            for suffix in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        #expect(outcomes.contains(false))
    }

    @Test func threeThreadsDoItOnce() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("m.db")
        let schema = Schema("s") {
            for number in 1...20 { Version(number) { CreateTable("t\(number)") { ColumnDef("x", Int.self) } } }
        }
        let threads = (0..<3).map { _ in ThreadResult { try schema.migrate(Connection(storageLocation: .onDisk(path))) }
        }
        for thread in threads { _ = try thread.get() }
        let connection = try Connection(path)
        #expect(try connection.tableNames().count == 21)
        #expect(try connection.query("SELECT count(*) FROM squall_versions") == 20)
    }

    @Test func twoMigratorsAtOnceDoItOnce() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("m.db")
        _ = try Connection(path)
        let threads = (0..<2).map { _ in
            ThreadResult {
                try Migrator(connection: Connection(path), desiredSchemaVersion: 20)
                    .runMigrationsIfNecessary(migrationSQLForSchemaVersion: { "CREATE TABLE t\(raw: "\($0)")(a)" })
            }
        }
        let counts = try threads.map { try $0.get() }
        #expect(counts.reduce(0, +) == 20)
    }
}
