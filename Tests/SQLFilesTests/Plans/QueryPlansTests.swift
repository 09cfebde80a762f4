import Foundation
import Squall
import SquallTestSupport
import Testing

@testable import SquallSQLFiles

/// The plans of the queries of a folder, and the indexes that none of them uses.
struct QueryPlansTests {
    private static let schema = """
        CREATE TABLE owners(id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT NOT NULL);
        CREATE UNIQUE INDEX owners_name ON owners(name);
        CREATE TABLE cars(id INTEGER PRIMARY KEY, price INTEGER, owner INTEGER REFERENCES owners(id) ON DELETE CASCADE);
        CREATE INDEX cars_price ON cars(price);
        CREATE INDEX "cars owner" ON cars(owner);
        CREATE TABLE log(car INTEGER);
        CREATE INDEX log_car ON log(car);
        CREATE TRIGGER sold AFTER DELETE ON cars BEGIN DELETE FROM log WHERE car = old.id; END;
        """

    private func plans(_ queries: String) throws -> QueryPlans {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = folder.appendingPathComponent("schema")
        try FileManager.default.createDirectory(at: schema, withIntermediateDirectories: true)
        try Data(Self.schema.utf8).write(to: schema.appendingPathComponent("001.sql"))
        try Data(queries.utf8).write(to: folder.appendingPathComponent("q.sql"))
        return try QueryPlans(folder: folder.path)
    }

    /// The indexes that no query uses; those that are unique in parentheses.
    private func unused(_ sql: String) throws -> [String] {
        try plans("-- name: q\n\(sql);\n").unusedIndexes.map { $0.isUnique ? "(\($0.name))" : $0.name }
    }

    @Test func eachStatementHasAPlanAndItsPlace() throws {
        let plans = try plans(
            """
            -- name: cheap
            SELECT id FROM cars WHERE price < 5;
            -- name: both
            DELETE FROM log WHERE car + 1 = 2;
            SELECT owner FROM cars;
            """)
        #expect(plans.statements.map(\.query) == ["cheap", "both", "both"])
        #expect(plans.statements.map(\.location.line) == [2, 4, 5])
        #expect(plans.statements.map(\.scans.isEmpty) == [true, false, false])
        let detail = plans.statements[2].plan.all.first { plans.statements[2].scans.contains($0.id) }?.detail
        #expect(detail?.hasPrefix("SCAN cars USING COVERING INDEX") == true)
        #expect(plans.files.queryCount == 2)
    }

    /// SQLite takes the keywords of joins as names and as aliases after AS.
    @Test func aKeywordOfAJoinCanBeAnAlias() throws {
        let plans = try plans(
            """
            -- name: scan
            SELECT left.owner FROM cars AS left LEFT JOIN owners AS full ON full.id = left.owner;
            -- name: noScan
            SELECT left.owner FROM cars AS left CROSS JOIN owners WHERE left.id = 1 AND owners.id = 2;
            """)
        #expect(plans.statements.map(\.scans.count) == [1, 0])
    }

    @Test func anIndexThatAPlanNamesIsUsed() throws {
        #expect(try unused("SELECT 1 AS one") == ["cars owner", "cars_price", "log_car", "(owners_name)"])
        #expect(try unused("SELECT id FROM cars WHERE price = 1") == ["cars owner", "log_car", "(owners_name)"])
        #expect(
            try unused("SELECT id FROM owners WHERE name = 'a' AND id IN (SELECT owner FROM cars WHERE owner > 1)")
                == ["cars_price", "log_car"])
    }

    @Test func triggersAndForeignKeysUseIndexes() throws {
        #expect(try unused("DELETE FROM cars WHERE id = :id") == ["cars owner", "cars_price", "(owners_name)"])
        #expect(try unused("DELETE FROM owners WHERE id = :id") == ["cars_price", "(owners_name)"])
    }

    @Test func writingToAnIndexIsNotUse() throws {
        #expect(
            try unused("INSERT INTO cars(price, owner) VALUES(1, 2)")
                == ["cars owner", "cars_price", "log_car", "(owners_name)"])
    }

    @Test func listsAndExplainAreNoObstacles() throws {
        let plans = try plans(
            """
            -- name: some
            SELECT id FROM cars WHERE price IN (:prices...);
            -- name: plan
            -- detail: String
            -- id: Int
            -- parent: Int
            -- notused: Int
            EXPLAIN QUERY PLAN SELECT id FROM cars;
            """)
        #expect(plans.statements.map(\.query) == ["some"])
        #expect(plans.statements[0].scans == [])
        #expect(!plans.unusedIndexes.map(\.name).contains("cars_price"))
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch && SQLiteLibrary.has("ENABLE_RTREE")))
    func virtualTablesAreScannedWithoutACondition() throws {
        let schema: SQL = "CREATE VIRTUAL TABLE boxes USING rtree(id, a, b); CREATE VIRTUAL TABLE words USING fts5(t)"
        let queries = [
            ("SELECT id FROM boxes", true), ("SELECT id FROM boxes WHERE id = 1", false),
            ("SELECT id FROM boxes WHERE a > 1", false), ("SELECT t FROM words", true),
            ("SELECT t FROM words WHERE words MATCH 'a'", false), ("SELECT t FROM words WHERE rowid = 1", false),
        ]
        for (sql, isScan) in queries {
            let (_, lines) = try Checked.query(sql, noScan: true, schema: schema)
            #expect(lines.isEmpty != isScan, "\(sql): \(lines)")
        }
    }

    /// A plan names a common table like a table.
    @Test func commonTablesOfAStatementThatWritesAreNotScanned() throws {
        let common = "WITH q(id) AS (VALUES(1), (2))"
        for sql in [
            "\(common) INSERT INTO a(id, n, t, r, f, b) SELECT id, 1, 't', 1.5, 0, x'' FROM q",
            "\(common) UPDATE a SET n = 1 WHERE id IN (SELECT id FROM q)",
            "UPDATE a SET n = q.id FROM (SELECT 1 AS id) AS q WHERE a.id = q.id",
            "\(common) DELETE FROM a WHERE id IN (SELECT id FROM q)",
            "SELECT a.n FROM (SELECT 1 AS id UNION SELECT 2) JOIN a USING(id)",
        ] {
            let (_, lines) = try Checked.query(sql, noScan: true)
            #expect(lines == [], "\(sql)")
        }
    }
}
