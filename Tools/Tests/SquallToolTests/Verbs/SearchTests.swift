import Foundation
import Squall
import Testing

@Suite struct SearchTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func database() throws -> String {
        try directory.database(
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
            INSERT INTO notes VALUES
                (1, 'Garden', 'Tomatoes need sun, and tomatoes need water'), (2, 'Kitchen', 'A soup of tomato and basil'),
                (3, 'Travel', 'New York in spring'), (4, 'Travel', 'York is not new');
            CREATE VIRTUAL TABLE notes_index USING fts5(title, body, content = 'Notes', content_rowid = id);
            INSERT INTO notes_index(notes_index) VALUES('rebuild');
            CREATE TABLE plain(name TEXT, size INTEGER, data BLOB);
            INSERT INTO plain VALUES('50% off', 5, x'00'), ('500 off', 50, NULL), ('a_b \\ c', 7, x''), ('AXB', 1, NULL);
            CREATE VIEW seen AS SELECT name FROM plain;
            CREATE TABLE numbers(a INTEGER, b REAL)
            """)
    }

    @Test(arguments: ["notes", "notes_index", "NOTES"])
    func anIndexFindsTheBestRowsFirst(table: String) async throws {
        try await expect(
            Tool.run("search", database(), table, "tomato*", "--format", "csv"),
            prints: """
                rowid,title,body
                1,Garden,"[Tomatoes] need sun, and [tomatoes] need water"
                2,Kitchen,A soup of [tomato] and basil

                """
        )
    }

    @Test func allWordsMustBeThere() async throws {
        let path = try database()
        try await expect(
            Tool.run("search", path, "notes", "tomato", "soup", "--format", "csv"),
            prints: "rowid,title,body\n2,Kitchen,A [soup] of [tomato] and basil\n")
        try await expect(Tool.run("search", path, "notes", "tomato", "york", "--format", "json"), prints: "[]\n")
        try await expect(
            Tool.run("search", path, "notes", "new york", "--format", "csv"),
            prints: "rowid,title,body\n3,Travel,[New York] in spring\n")
    }

    @Test(arguments: ["OR NOT", "title:x", "a\"b", "NEAR(", "-x", "^", "(", "'", "!!!", "x + y"])
    func operatorsAreWords(word: String) async throws {
        let arguments = ["search", try database(), "notes", "--format", "json", "--", word]
        let outcome = try await Tool.shell("\"$SQUALL\" \"$@\"", arguments)
        expect(outcome, prints: "[]\n")
    }

    @Test func aLongTextIsCutAroundTheWordsInATable() async throws {
        let path = try directory.database(
            """
            CREATE VIRTUAL TABLE f USING fts5(a);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO f SELECT group_concat('w' || i, ' ') || ' needle ' || group_concat('x' || i, ' ') FROM n
            """)
        let outcome = try await Tool.run("search", path, "f", "needle")
        #expect(outcome.exitCode == 0 && outcome.output.contains(" [needle] ") && outcome.output.contains("…"))
        #expect(outcome.output.count < 400)
        let whole = try await Tool.run("search", path, "f", "needle", "--format", "csv")
        #expect(whole.output.contains("w1 w2 ") && whole.output.contains(" x100\n"))
    }

    @Test func theNumberOfRowsIsLimited() async throws {
        let path = try database()
        for table in ["notes", "plain"] {
            let outcome = try await Tool.run("search", path, table, "o*", "--limit", "1", "--format", "csv")
            #expect(outcome.exitCode == 0 && outcome.output.split(separator: "\n").count <= 2)
        }
    }

    @Test func withoutAnIndexAllRowsAreRead() async throws {
        let path = try database()
        let note = "note: no full-text index of plain: all rows are read\n"
        try await expect(
            Tool.run("search", path, "plain", "50%", "OFF", "--format", "csv"),
            prints: "rowid,name,size,data\n1,50% off,5,x'00'\n", fails: note)
        for word in ["a_b", "\\", "A_B*"] {
            try await expect(
                Tool.run("search", path, "plain", word, "--format", "csv"),
                prints: "rowid,name,size,data\n3,a_b \\ c,7,x''\n", fails: note)
        }
        try await expect(
            Tool.run("search", path, "seen", "axb", "--format", "csv"), prints: "name\nAXB\n",
            fails: "note: no full-text index of seen: all rows are read\n")
    }

    @Test func wrongArgumentsAreErrors() async throws {
        let path = try database()
        let numbers = try await Tool.run("search", path, "numbers", "1")
        #expect(
            numbers.exitCode == 2 && numbers.error == "error: \(path): numbers has no column of text (SQLITE_ERROR)\n")
        let none = try await Tool.run("search", path, "none", "x")
        #expect(none.exitCode == 2 && none.error.hasPrefix("error: \(path): no such table: none (SQLITE_ERROR)\n"))
        for words in [[], ["*"], [" "], [""]] {
            let outcome = try await Tool.shell("\"$SQUALL\" \"$@\"", ["search", path, "notes"] + words)
            #expect(outcome.exitCode == 64)
        }
    }

    @Test func namesThatNeedQuotesAreQuoted() async throws {
        let path = try directory.database(
            #"""
            CREATE TABLE "my ""notes"""("the text" TEXT, rows TEXT, "sélect" TEXT) ;
            INSERT INTO "my ""notes""" VALUES('a word', 'x', 'y');
            CREATE VIRTUAL TABLE "the index" USING fts5("the text", content='my "notes"');
            INSERT INTO "the index"("the index") VALUES('rebuild')
            """#)
        try await expect(
            Tool.run("search", path, "my \"notes\"", "word", "--format", "csv"), prints: "rowid,the text\n1,a [word]\n")
    }
}
