import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The SQL of search tables, and their verbs.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchTableTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
    }

    private func definition(
        _ content: SearchTableDefinition.Content? = nil, tokenizer: SearchTokenizer = .unicode61
    ) -> SearchTableDefinition {
        SearchTableDefinition(
            "notes_search", of: .init(table: "notes", rowID: "id"), columns: "title", "body", content: content,
            tokenizer: tokenizer)
    }

    private func found(_ pattern: SearchPattern) throws -> [Int] {
        try connection.query("SELECT rowid FROM notes_search WHERE notes_search MATCH \(pattern) ORDER BY rowid")
    }

    @Test func theSQLOfATableAndItsOptions() {
        #expect(
            definition().sql.text
                == #"CREATE VIRTUAL TABLE "notes_search" USING fts5("title", "body", content = 'notes', content_rowid = 'id')"#
        )
        let all = SearchTableDefinition(
            "a'b\"c", columns: "x\"y", unindexed: ["z"],
            tokenizer: .unicode61(keepsDiacritics: true, tokenCharacters: "-'"),
            prefixes: [2, 3], detail: .column, hasColumnSizes: false)
        #expect(
            all.sql.text
                == #"CREATE VIRTUAL TABLE "a'b""c" USING fts5("x""y", "z" UNINDEXED, "#
                + #"tokenize = 'unicode61 remove_diacritics 0 tokenchars ''-''''''', prefix = '2 3', detail = 'column', columnsize = '0')"#
        )
        #expect(
            SearchTableDefinition("s", columns: "a", content: SearchTableDefinition.Content.none).sql.text
                == #"CREATE VIRTUAL TABLE "s" USING fts5("a", content = '')"#)
        #expect(
            SearchTableDefinition("s", columns: "a", tokenizer: .porter(over: .ascii)).sql.text
                == #"CREATE VIRTUAL TABLE "s" USING fts5("a", tokenize = 'porter ascii')"#)
    }

    @Test(arguments: [SearchTableDefinition.Content.external, .own, .none])
    func triggersKeepTheTableInStep(_ content: SearchTableDefinition.Content) throws {
        try connection.run("INSERT INTO notes VALUES(1, 'Swift', 'a language'), (2, NULL, NULL)")
        let table = definition(content)
        try connection.create(table)
        #expect(try found("swift") == [1])
        try connection.run("INSERT INTO notes VALUES(3, 'Birds', 'a swift')")
        #expect(try found("swift") == [1, 3])
        try connection.run("UPDATE notes SET body = 'a word' WHERE id = 3")
        #expect(try found("swift") == [1])
        #expect(try found("word") == [3])
        try connection.run("UPDATE notes SET id = 30, title = 'swift' WHERE id = 3")
        #expect(try found("swift") == [1, 30])
        try connection.run("DELETE FROM notes WHERE id = 1")
        #expect(try found("swift") == [30])
        try connection.run("INSERT OR REPLACE INTO notes VALUES(30, 'x', 'y')")
        // Without recursive triggers, SQLite does not call the DELETE trigger for a replaced row; the recommended configuration has them on.
        #expect(try found("swift") == [])
        try connection.run("UPDATE notes SET title = title")
        try connection.integrityCheck(table)
        try connection.rebuild(table)
        try connection.optimize(table)
        try connection.integrityCheck(table)
        #expect(try found("x") == [30])
        try connection.drop(table)
        let left: [String] = try connection.query("SELECT name FROM sqlite_schema ORDER BY name")
        #expect(left == ["notes"])
        #expect(try sqliteError { try connection.drop(table) }.message == "no such table: main.notes_search")
        try connection.run("DELETE FROM notes")
    }

    @Test func theTriggersAreSQLThatCanBeRead() throws {
        try connection.create(definition())
        let sql: [String] = try connection.query("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
        #expect(
            sql == [
                #"CREATE TRIGGER "notes_search_delete" AFTER DELETE ON "notes" BEGIN "#
                    + #"INSERT INTO "notes_search"("notes_search", rowid, "title", "body") "#
                    + #"VALUES('delete', old."id", old."title", old."body"); END"#,
                #"CREATE TRIGGER "notes_search_insert" AFTER INSERT ON "notes" BEGIN "#
                    + #"INSERT INTO "notes_search"(rowid, "title", "body") VALUES(new."id", new."title", new."body"); END"#,
                #"CREATE TRIGGER "notes_search_update" AFTER UPDATE ON "notes" WHEN old."id" IS NOT new."id" OR "#
                    + #"CAST(old."title" AS BLOB) IS NOT CAST(new."title" AS BLOB) OR "#
                    + #"CAST(old."body" AS BLOB) IS NOT CAST(new."body" AS BLOB) BEGIN "#
                    + #"INSERT INTO "notes_search"("notes_search", rowid, "title", "body") "#
                    + #"VALUES('delete', old."id", old."title", old."body"); "#
                    + #"INSERT INTO "notes_search"(rowid, "title", "body") VALUES(new."id", new."title", new."body"); END"#,
            ])
    }

    @Test func integrityCheckFindsATableThatIsOutOfStep() throws {
        let table = definition()
        try connection.create(table)
        try connection.run("INSERT INTO notes VALUES(1, 'a', 'b')")
        try connection.execute("DROP TRIGGER notes_search_update; UPDATE notes SET title = 'other'")
        let error = try sqliteError { try connection.integrityCheck(table) }
        #expect(error.resultCode == .corrupt)
        try connection.rebuild(table)
        try connection.integrityCheck(table)
    }

    @Test func aTableWithCJKAddsTheTokenizer() throws {
        try connection.create(definition(tokenizer: .cjk))
        try connection.run("INSERT INTO notes VALUES(1, '日本語', 'テキスト')")
        #expect(try found(.allWords("本語")) == [1])
        #expect(try found(.allWords("本")) == [1])
    }

    @Test func aTableWithoutASourceIsWrittenDirectly() throws {
        let table = SearchTableDefinition("mails", columns: "subject", unindexed: ["sender"])
        try connection.create(table)
        try connection.create(table, ifNotExists: true)
        try connection.run("INSERT INTO mails VALUES('hello', 'ada')")
        #expect(try connection.query("SELECT sender FROM mails('hello')") == "ada")
        #expect(try connection.query("SELECT count(*) FROM mails('ada')") == 0)
        #expect(throws: SQLiteError.self) { try connection.create(table) }
    }

    @Test func creatingAnExistingTableAgainKeepsIt() throws {
        try connection.create(definition())
        try connection.run("INSERT INTO notes VALUES(1, 'a', 'b')")
        try connection.create(definition(), ifNotExists: true)
        #expect(try found("a") == [1])
        try connection.integrityCheck(definition())
    }

    @Test func wrongDefinitionsAreTypedErrors() throws {
        func problem(_ table: SearchTableDefinition) throws -> SQLiteError.Kind {
            try errorKind { try connection.create(table) }
        }
        #expect(try problem(.init("s", columns: [])) == .problem(SearchTableProblem.noColumns, of: .table("s")))
        #expect(
            try problem(.init("s", columns: "a", "A"))
                == .problem(SearchTableProblem.repeatedColumn("A"), of: .table("s")))
        #expect(
            try problem(.init("s", columns: "Rank"))
                == .problem(SearchTableProblem.reservedColumn("Rank"), of: .table("s")))
        #expect(
            try problem(.init("s", columns: "rowid"))
                == .problem(SearchTableProblem.reservedColumn("rowid"), of: .table("s")))
        #expect(
            try problem(.init("s", columns: "S")) == .problem(SearchTableProblem.reservedColumn("S"), of: .table("s")))
        #expect(
            try problem(.init("s", columns: "a", content: .external))
                == .problem(SearchTableProblem.noSource, of: .table("s")))
        func over(_ table: String, _ rowID: String, _ column: String) throws -> SQLiteError.Kind {
            try problem(.init("s", of: .init(table: table, rowID: rowID), columns: column))
        }
        #expect(
            try over("nowhere", "id", "title") == .problem(SearchTableProblem.unknownTable("nowhere"), of: .table("s")))
        #expect(
            try over("notes", "id", "nope")
                == .problem(SearchTableProblem.unknownColumn("nope", table: "notes"), of: .table("s")))
        #expect(
            try over("notes", "key", "title")
                == .problem(SearchTableProblem.unknownColumn("key", table: "notes"), of: .table("s")))
        #expect(throws: SQLiteError.self) { try connection.create(SearchTableDefinition("a\0b", columns: "a")) }
        #expect(throws: SQLiteError.self) { try connection.create(SearchTableDefinition("s", columns: "a\0b")) }
    }

    @Test func triggersAndViewsWorkInTheRecommendedConfiguration() throws {
        let directory = try TemporaryDirectory()
        let file = try Connection(directory.file("notes.db"), configuration: .recommended)
        try file.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
        try file.create(definition())
        try file.run("INSERT INTO notes VALUES(1, 'Swift', 'a language')")
        try file.execute("CREATE VIEW swifts AS SELECT rowid AS id FROM notes_search WHERE notes_search MATCH 'swift'")
        #expect(try file.query("SELECT id FROM swifts") == 1)
        try file.integrityCheck(definition())
    }

    /// A damaged table is an error where SQLite notices it, and never more than that.
    @Test(arguments: ["data", "idx", "docsize", "config"]) func damagedTablesAreErrors(_ part: String) throws {
        let seed = part.utf8.count
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let path = directory.file("notes.db")
        // Not defensive, so that the test can damage the table.
        let writer = try Connection(storageLocation: .onDisk(path))
        try writer.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
        try writer.create(definition())
        for id in 1...50 {
            try writer.run("INSERT INTO notes VALUES(\(id), \("word\(id % 7) swift"), 'a b c d e f g')")
        }
        writer.close()
        let original = try Data(contentsOf: URL(fileURLWithPath: path))
        var failures = 0
        for _ in 0..<60 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let writer = try Connection(storageLocation: .onDisk(path))
            switch part {
            case "data":
                let rows: [Int64] = try writer.query("SELECT id FROM notes_search_data")
                let row = rows.randomElement(using: &generator) ?? 0
                try writer.run("UPDATE notes_search_data SET block = \(bytes) WHERE id = \(row)")
            case "idx":
                try writer.run(
                    "UPDATE notes_search_idx SET pgno = \(Int.random(in: -9...99_999, using: &generator))")
            case "docsize": try writer.run("UPDATE notes_search_docsize SET sz = \(bytes)")
            default: try writer.run("UPDATE notes_search_config SET v = \(bytes)")
            }
            writer.close()
            do {
                let file = try Connection(path, configuration: .untrusted)
                let _: [String?] = try file.query(
                    """
                    SELECT highlight(notes_search, 0, '<', '>') FROM notes_search \
                    WHERE notes_search MATCH 'swift OR word3*' ORDER BY rank
                    """)
                try file.integrityCheck(definition())
                try file.run("DELETE FROM notes WHERE id < 9")
            } catch let error as SQLiteError {
                failures += 1
                let allowed: [ResultCode] = [.corrupt, .error, .outOfMemory]
                #expect(allowed.contains(error.resultCode), "\(error)")
            }
            try original.write(to: URL(fileURLWithPath: path))
        }
        #expect(failures > 20)
    }

    /// A trigger is Squall's by its SQL, and not by its name.
    @Test func triggersOfTheProgramWithItsNamesAreKept() throws {
        try connection.create(definition())
        #expect(try connection.changes(toMatch: definition()) == [])
        try connection.execute(
            """
            CREATE TABLE log(a); DROP TRIGGER notes_search_insert;
            CREATE TRIGGER notes_search_insert AFTER INSERT ON notes BEGIN INSERT INTO log VALUES(new.id); END
            """)
        #expect(try connection.changes(toMatch: definition()) == [.replace(definition(), with: definition())])
        try connection.drop(definition())
        #expect(
            try connection.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'") == ["notes_search_insert"])
        try connection.execute("INSERT INTO notes VALUES(1, 'a', 'b'); DELETE FROM notes")
    }
}
