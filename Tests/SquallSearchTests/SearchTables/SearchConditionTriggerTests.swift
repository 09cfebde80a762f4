import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Search tables with a condition beside triggers of the program that write the row of the running statement again. SQLite runs the newest
/// trigger first.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchConditionTriggerTests {
    typealias Content = SearchTableDefinition.Content

    /// Triggers after INSERT and DELETE, and triggers that keep a row.
    private static let insertions: [SQL] = [
        "AFTER INSERT ON notes BEGIN UPDATE notes SET at = at + 1 WHERE id = new.id; END",
        "AFTER INSERT ON notes WHEN new.title = 'other' BEGIN UPDATE notes SET live = NOT live WHERE id = new.id; END",
        "AFTER INSERT ON notes WHEN new.title = 'slow' BEGIN UPDATE notes SET title = 'slow fig' WHERE id = new.id; END",
        "AFTER INSERT ON notes WHEN new.id = 4 BEGIN UPDATE OR IGNORE notes SET id = 8 WHERE id = 4; END",
        "AFTER DELETE ON notes WHEN old.live BEGIN INSERT INTO notes VALUES(old.id, old.title, old.code, 0, 1); END",
        """
        BEFORE DELETE ON notes WHEN old.live AND old.id < 3 BEGIN
            UPDATE notes SET live = 0, title = 'swift fig' WHERE id = old.id;
            SELECT RAISE(IGNORE);
        END
        """,
    ]

    /// Triggers after UPDATE.
    private static let updates: [SQL] = [
        "AFTER UPDATE ON notes WHEN old.at = new.at BEGIN UPDATE notes SET at = at + 1 WHERE id = new.id; END",
        "AFTER UPDATE ON notes WHEN new.title = 'fig' AND new.live BEGIN UPDATE notes SET live = 0 WHERE id = new.id; END",
        "AFTER UPDATE ON notes WHEN new.title = 'slow' BEGIN UPDATE notes SET title = 'slow fig', live = 1 WHERE id = new.id; END",
        "AFTER UPDATE ON notes WHEN new.title = 'other' BEGIN DELETE FROM notes WHERE id = new.id; END",
        "AFTER UPDATE ON notes WHEN new.id = 3 BEGIN UPDATE OR IGNORE notes SET id = 9 WHERE id = 3; END",
    ]

    private func connection() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.execute(
            "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, code UNIQUE, live, at DEFAULT 0)")
        return connection
    }

    private func table(_ content: Content) -> SearchTableDefinition {
        SearchTableDefinition(
            "live_notes", of: .init(table: "notes", rowID: "id", where: "live"), columns: "title", content: content)
    }

    /// Runs random statements, and expects after each that a search finds the rows that a scan finds.
    private func check(
        _ content: Content, _ triggers: [SQL], first: Bool, _ generator: inout some RandomNumberGenerator
    ) throws {
        let (connection, table) = (try connection(), table(content))
        let program = triggers.shuffled(using: &generator).prefix(3).enumerated().map { index, trigger in
            "CREATE TRIGGER program_\(raw: "\(index)") \(trigger)" as SQL
        }
        if first { for sql in program { try connection.run(sql) } }
        try connection.create(table)
        if !first { for sql in program { try connection.run(sql) } }
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
        let titles = ["swift", "slow", "other", "fig", "swift slow"]
        for _ in 0..<25 {
            let (id, live, code) = (number(1...6), number(0...1), number(1...4))
            let title = titles[number(0...4)]
            let statements: [SQL] = [
                "INSERT OR IGNORE INTO notes VALUES(\(id), \(title), \(code), \(live), 0)",
                "INSERT OR REPLACE INTO notes VALUES(\(id), \(title), \(code), \(live), 0)",
                """
                INSERT INTO notes VALUES(\(id), \(title), NULL, \(live), 0) ON CONFLICT(id) DO UPDATE SET \
                title = excluded.title, live = excluded.live
                """,
                "UPDATE notes SET title = \(title), live = \(live) WHERE id >= \(id)",
                "UPDATE notes SET live = \(live) WHERE id = \(id)",
                "UPDATE OR REPLACE notes SET id = \(number(1...6)), title = \(title) WHERE id = \(id)",
                "UPDATE OR REPLACE notes SET code = \(code), title = \(title) WHERE id = \(id)",
                "UPDATE OR IGNORE notes SET code = \(code), title = \(title)",
                "UPDATE OR FAIL notes SET code = \(code), title = \(title) WHERE id > \(id)",
                "DELETE FROM notes WHERE id = \(id)", "DELETE FROM notes WHERE live = \(live)",
            ]
            let statement = statements[number(0...statements.count - 1)]
            do {
                try connection.run(statement)
            } catch ResultCode.constraint {}
            if content == .external { try connection.integrityCheck(table) }
            for word in ["swift", "slow", "other", "fig"] {
                let found: [Int] = try connection.query(
                    "SELECT rowid FROM live_notes WHERE live_notes MATCH \(word) ORDER BY rowid")
                let expected: [Int] = try connection.query(
                    "SELECT id FROM notes WHERE live AND title LIKE '%' || \(word) || '%' ORDER BY id")
                try #require(found == expected, "\(word) after \(statement.text) with \(program.map(\.text))")
            }
        }
    }

    @Test(arguments: [Content.own, .external, .none], [true, false])
    func triggersAfterInsertAndDelete(_ content: Content, first: Bool) throws {
        var generator = TestSeed.of().generator()
        for _ in 0..<10 { try check(content, Self.insertions, first: first, &generator) }
    }

    /// Where the index has its own text, the order of the triggers does not matter.
    @Test(arguments: [true, false])
    func triggersAfterUpdateWithOwnContent(first: Bool) throws {
        var generator = TestSeed.of().generator()
        for _ in 0..<20 { try check(.own, Self.insertions + Self.updates, first: first, &generator) }
    }

    /// Otherwise, the triggers of the program must be older than the search table.
    @Test(arguments: [Content.external, .none])
    func olderTriggersAfterUpdate(_ content: Content) throws {
        var generator = TestSeed.of().generator()
        for _ in 0..<20 { try check(content, Self.insertions + Self.updates, first: true, &generator) }
    }

    /// The triggers of a file that an earlier version of Squall has made are dropped with the table, and are a difference.
    @Test func formerTriggers() throws {
        let (connection, table) = (try connection(), table(.external))
        try connection.create(table)
        #expect(try connection.changes(toMatch: table).isEmpty)
        try connection.execute(
            """
            DROP TRIGGER live_notes_insert;
            CREATE TRIGGER live_notes_insert AFTER INSERT ON "notes" BEGIN INSERT INTO "live_notes"(rowid, "title")
                SELECT "id", "title" FROM "live_notes_rows" WHERE "id" = new."id"; END;
            DROP TRIGGER live_notes_delete;
            CREATE TRIGGER live_notes_delete AFTER DELETE ON "notes" BEGIN
                INSERT INTO "live_notes"("live_notes", rowid, "title") SELECT 'delete', old."id", old."title"
                WHERE EXISTS (SELECT 1 FROM "live_notes_docsize" WHERE id = old."id"); END;
            DROP TRIGGER live_notes_update;
            CREATE TRIGGER live_notes_update AFTER UPDATE ON "notes" WHEN old."id" IS NOT new."id"
                OR CAST(old."title" AS BLOB) IS NOT CAST(new."title" AS BLOB)
                OR EXISTS (SELECT 1 FROM "live_notes_docsize" WHERE id = old."id")
                IS NOT EXISTS (SELECT "id", "title" FROM "live_notes_rows" WHERE "id" = new."id")
            BEGIN
                INSERT INTO "live_notes"("live_notes", rowid, "title") SELECT 'delete', old."id", old."title"
                WHERE EXISTS (SELECT 1 FROM "live_notes_docsize" WHERE id = old."id");
                INSERT INTO "live_notes"(rowid, "title")
                SELECT "id", "title" FROM "live_notes_rows" WHERE "id" = new."id";
            END;
            """)
        guard case .replace(let old, let new)? = try connection.changes(toMatch: table).first else {
            Issue.record("no difference")
            return
        }
        #expect(old == table && new == table)
        try connection.drop(old)
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'live%'") == 0)
        try connection.create(new)
        #expect(try connection.changes(toMatch: table).isEmpty)
    }
}
