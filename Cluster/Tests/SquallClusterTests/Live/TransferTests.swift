import Foundation
import Squall
import Testing

@testable import SquallCluster

/// Databases that are copied between files and a cluster.
@Suite(.serialized) struct TransferTests {
    /// A schema with everything that needs care.
    static let schema: SQL = """
        CREATE TABLE plain(a, "b ""x"" y" TEXT, c BLOB);
        CREATE TABLE parents(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE) STRICT;
        CREATE TABLE children(parent INTEGER NOT NULL REFERENCES parents(id), since DATETIME, done BOOLEAN,
                              years INTEGER GENERATED ALWAYS AS (parent * 2) STORED);
        CREATE TABLE keyed(k TEXT COLLATE NOCASE, n INTEGER, v, PRIMARY KEY(k, n)) WITHOUT ROWID;
        CREATE TABLE rowid(rowid TEXT, _rowid_ TEXT, v);
        CREATE VIRTUAL TABLE notes USING fts5(body);
        CREATE VIEW names AS SELECT name FROM parents;
        CREATE INDEX children_parent ON children(parent) WHERE done;
        CREATE TRIGGER count_children AFTER INSERT ON children BEGIN UPDATE parents SET name = name || '!'; END;
        """

    static func file(in directory: URL, rows: Int = 700) throws -> String {
        let path = directory.appendingPathComponent("original-\(UUID().uuidString).db").path
        let connection = try Connection(path)
        try connection.execute(schema)
        try connection.run(
            """
            INSERT INTO plain(rowid, a, "b ""x"" y", c)
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            SELECT i * 3, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN i / 7.0 ELSE i END, 'größer ' || i, randomblob(i % 50)
            FROM n
            """)
        try connection.execute(
            """
            PRAGMA foreign_keys = 0;
            INSERT INTO parents VALUES(5, 'five'), (9, NULL);
            DELETE FROM parents WHERE id = 9;
            INSERT INTO children(parent, since, done) VALUES(5, NULL, NULL), (5, '2026-11-25', 1), (77, 3, 0);
            INSERT INTO keyed VALUES('b', 1, x'00'), ('A', 2, -9223372036854775808), ('a', 1, 1e308), ('', 0, '');
            INSERT INTO rowid VALUES('x', 'y', 1);
            INSERT INTO notes VALUES('one two'), ('two three');
            PRAGMA user_version = 42;
            PRAGMA application_id = 7;
            ANALYZE;
            """)
        return path
    }

    @Test func aFileBecomesADatabaseAndBack() async throws {
        try await TestNodes.with { cluster in
            let original = try Self.file(in: cluster.directory)
            let connection = try await cluster.connect()
            let report = try await connection.importDatabase(from: original)
            #expect(report.rows["plain"] == 700)
            #expect(report.rows["children"] == 3)
            #expect(try await connection.rows("SELECT seq FROM sqlite_sequence") == [[.integer(9)]])
            let names = try await connection.rows("SELECT name FROM names")
            #expect(names == [[.text("five!!!")]])
            #expect(try await connection.rows("PRAGMA user_version") == [[.integer(42)]])
            #expect(
                try await connection.rows("SELECT body FROM notes WHERE notes MATCH 'three'")
                    == [[.text("two three")]])

            let path = cluster.directory.appendingPathComponent("copy.db").path
            let exported = try await connection.exportDatabase("app", to: path)
            #expect(exported == report)
            // The log of the dump is in the file.
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            #expect(try Connection(path, mode: .readOnly).query("PRAGMA journal_mode") == "delete")
            for table in report.rows.keys.sorted() {
                #expect(try Self.rows(of: table, in: path) == Self.rows(of: table, in: original), "\(table)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: cluster.directory.path)
            #expect(left.filter { $0.hasPrefix("copy.db") } == ["copy.db"])
        }
    }

    @Test func aDatabaseThatIsNotEmptyIsReplacedOnlyWhenAllowed() async throws {
        try await TestNodes.with { cluster in
            let original = try Self.file(in: cluster.directory)
            let connection = try await cluster.connect()
            try await connection.executeScript(
                """
                CREATE TABLE parents(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES parents(id));
                INSERT INTO parents VALUES(1); INSERT INTO c VALUES(1); CREATE VIEW v AS SELECT * FROM c;
                CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES('a')
                """)
            await #expect {
                try await connection.importDatabase(from: original)
            } throws: { error in
                guard case TransferError.notEmpty(let objects) = error else { return false }
                return objects.contains("v") && objects.contains("parents")
            }
            try await connection.importDatabase(from: original, replacing: true)
            #expect(try await connection.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'v'") == [[.integer(0)]])
            #expect(try await connection.rows("SELECT id FROM parents") == [[.integer(5)]])
        }
    }

    @Test func whatANodeCannotTakeIsRefusedByName() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            let path = cluster.directory.appendingPathComponent("odd.db").path
            do {
                let file = try Connection(path)
                let columns = (0..<256).map { "c\($0)" }.joined(separator: ", ")
                try file.execute(SQL(raw: "CREATE TABLE wide(id INTEGER PRIMARY KEY, \(columns))"))
            }
            await #expect(throws: TransferError.tooManyColumns(table: "wide", count: 257, limit: 255)) {
                try await connection.importDatabase(from: path)
            }
            try Connection(path).execute(
                "DROP TABLE wide; CREATE TABLE t(a); INSERT INTO t VALUES(CAST(x'610062' AS TEXT))")
            await #expect(throws: TransferError.zeroByte(table: "t", column: "a")) {
                try await connection.importDatabase(from: path)
            }
            try Connection(path).execute("UPDATE t SET a = CAST(x'ff' AS TEXT)")
            await #expect(throws: TransferError.invalidText(table: "t", column: "a")) {
                try await connection.importDatabase(from: path, replacing: true)
            }
            try Connection(path).execute("UPDATE t SET a = char(65533)")
            try await connection.importDatabase(from: path, replacing: true)
        }
    }

    @Test func aDamagedFileIsNotImported() async throws {
        try await TestNodes.with { cluster in
            let path = try Self.file(in: cluster.directory)
            do {
                let file = try Connection(path)
                _ = try file.checkpoint()
            }
            let handle = try FileHandle(forUpdating: URL(filePath: path))
            try handle.seek(toOffset: 4_096 * 3)
            try handle.write(contentsOf: Data(repeating: 0xff, count: 4_096))
            try handle.close()
            let connection = try await cluster.connect()
            await #expect(throws: (any Error).self) { try await connection.importDatabase(from: path) }
            #expect(try await connection.rows("SELECT count(*) FROM sqlite_schema") == [[.integer(0)]])
        }
    }

    private static func rows(of table: String, in path: String) throws -> [[BindingValue]] {
        let connection = try Connection(path, mode: .readOnly)
        return try connection.query(SQL(raw: "SELECT * FROM \(table.quoted)")) { try $0.values }
    }
}
