import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Search tables, most with a condition, beside triggers of the program that write the row of the running statement again. SQLite runs the newest
/// trigger first.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchConditionTriggerTests {
    typealias Content = SearchTableDefinition.Content

    /// The time at which the triggers of the program are created.
    enum Order: CaseIterable {
        /// Before and after the search table.
        case older, newer
        /// After it, by a step or the SQL of a version.
        case laterVersion
    }

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

    private func table(_ content: Content, where condition: SQL? = "live") -> SearchTableDefinition {
        SearchTableDefinition(
            "live_notes", of: .init(table: "notes", rowID: "id", where: condition), columns: "title", content: content)
    }

    /// Runs random statements, and expects after each that a search finds the rows that a scan finds.
    private func check(
        _ content: Content, _ triggers: [SQL], _ order: Order, where condition: SQL? = "live",
        _ generator: inout some RandomNumberGenerator
    ) throws {
        let (connection, table) = (try connection(), table(content, where: condition))
        let chosen = triggers.shuffled(using: &generator).prefix(3)
        let program = chosen.enumerated().map { "CREATE TRIGGER program_\(raw: "\($0)") \($1)" as SQL }
        if order == .older { for sql in program { try connection.run(sql) } }
        try connection.create(table)
        switch order {
        case .older: break
        case .newer: for sql in program { try connection.run(sql) }
        case .laterVersion:
            let version = Version(1) {
                CreateTrigger("program_0", chosen[0])
                Execute(program[1])
                Execute { try $0.run(program[2]) }
            }
            try Schema("notes") { version }.migrate(connection)
        }
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
                    "SELECT id FROM notes WHERE \(condition ?? "true") AND title LIKE '%' || \(word) || '%' ORDER BY id"
                )
                try #require(found == expected, "\(word) after \(statement.text) with \(program.map(\.text))")
            }
        }
    }

    @Test(arguments: [Content.own, .external, .none], Order.allCases)
    func triggersAfterInsertAndDelete(_ content: Content, _ order: Order) throws {
        var generator = TestSeed.of().generator()
        for _ in 0..<10 { try check(content, Self.insertions, order, &generator) }
    }

    /// Where the index has its own text, the order of the triggers does not matter.
    @Test(arguments: Order.allCases)
    func triggersAfterUpdateWithOwnContent(_ order: Order) throws {
        var generator = TestSeed.of().generator()
        for _ in 0..<20 { try check(.own, Self.insertions + Self.updates, order, &generator) }
    }

    /// Otherwise, the triggers of the program must be older than those of the search table, which a version creates again.
    @Test(arguments: [Content.external, .none], [Order.older, .laterVersion])
    func triggersAfterUpdate(_ content: Content, _ order: Order) throws {
        var generator = TestSeed.of().generator()
        let triggers = Self.insertions + Self.updates
        for _ in 0..<20 { try check(content, triggers, order, &generator) }
        for _ in 0..<20 { try check(content, triggers, order, where: nil, &generator) }
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
