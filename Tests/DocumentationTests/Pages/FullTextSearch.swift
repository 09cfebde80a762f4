// swift-format-ignore-file
import Foundation
import Squall
import SquallSearch
import Testing

/// The `swift` blocks of the page "Full-text search".
private enum Mails {
    struct Mail: Searchable {
        let id: Int64?
        let sender: String
        let subject: String
        let body: String?
        let received: Int

        static let table = Table("mails", Mail.init) {
            Column("id", \Mail.id, .primaryKey)
            Column("sender", \Mail.sender)
            Column("subject", \Mail.subject)
            Column("body", \Mail.body)
            Column("received", \Mail.received)
        }
        static let searchTable = SearchTable(
            "mails_search", of: table, columns: \.subject, \.body, tokenizer: .cjk)
    }

    struct Person: TableRecord {
        let address: String
        let name: String

        static let table = Table("people", Person.init) {
            Column("address", \Person.address, .primaryKey)
            Column("name", \Person.name)
        }
    }

    static let all = [
        Mail(id: 1, sender: "ada@example.org", subject: "Meeting next week", body: "The swift plan for SQLite", received: 21),
        Mail(id: 2, sender: "bo@example.org", subject: "会議の予定", body: "来週の東京での会議", received: 22),
        Mail(id: 3, sender: "bo@example.org", subject: "Old meeting", body: nil, received: 3),
    ]
}

@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5")))
struct FullTextSearchSnippets {
    private typealias Mail = Mails.Mail
    private typealias Person = Mails.Person

    private static func connection() throws -> Connection {
        let connection = try Connection(":memory:")
        let mails = Mails.all
        try connection.create(Mail.table)
        try connection.create(Mail.searchTable)
        try connection.insert(contentsOf: mails)
        return connection
    }

    @Test func searches() throws {
        let connection = try Self.connection()
        let input = "meet"
        let pattern = SearchPattern.allWords(input, lastIsPrefix: true)
        let found = try connection.all(
            Mail.search(pattern)
                .where { $0.received > 20 }
                .order { $0.rank }
                .limit(20)
                .select {
                    ($0.id, $0.highlight(\.subject, around: "<b>", "</b>"),
                     $0.snippet(\.body, around: "<b>", "</b>"))
                })
        #expect(found.map(\.1) == ["<b>Meeting</b> next week"])
        let best = try connection.all(
            Mail.search(.allWords(input)).order { $0.rank }.limit(10))
        #expect(best.isEmpty)
        try connection.create(Person.table)
        try connection.insert(contentsOf: [Person(address: "ada@example.org", name: "Ada")])
        let people = try connection.all(
            Person.join(Mail.self) { $0.address == $1.sender }
                .where { $1.matches("meeting") }
                .select { person, _ in person.name })
        #expect(people == ["Ada"])
        #expect(try connection.all(Mail.search(.allWords("会議 東京"))).map(\.id) == [2])
        do {
            let recent = SearchTable(
                "mails_recent", of: Mail.table, columns: \.subject, \.body, tokenizer: .cjk,
                where: { $0.received > 20 })
            try connection.create(recent)
            let mails = try connection.all(recent.search("meeting"))  // [Mail]
            #expect(mails.map(\.id) == [1])
            #expect(
                try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'mails_recent_rows'")
                    == #"CREATE VIEW "mails_recent_rows" AS SELECT "id" AS "id", "subject" AS "subject", "body" AS "body" FROM "mails" WHERE "mails"."received" > 20"#)
            let sql: String = try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'mails_recent'")
            #expect(sql.hasSuffix(#"content = 'mails_recent_rows', content_rowid = 'id', tokenize = 'cjk')"#))
        }
        try connection.integrityCheck(Mail.searchTable)   // throws if they differ
        try connection.rebuild(Mail.searchTable)
        try connection.optimize(Mail.searchTable)
    }

    @Test func patterns() throws {
        let connection = try Self.connection()
        let input = "plan sqlite"
        let unread = SearchPattern.anyWord(input) && .phrase("next week").in("subject")
        let others = unread.excluding(.prefix("draft"))
        #expect(try connection.all(Mail.search(others)).map(\.id) == [1])
    }

    @Test func tokenizersAndRanks() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "squall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "mails.db").path
        let database = try Database(path, preparation: { try $0.addCJKTokenizer() })
        try database.blocking.writeWithoutTransaction {
            try $0.create(Mail.table)
            try $0.create(Mail.searchTable)
        }
        #expect(try database.blocking.read { try $0.all(Mail.search("swift")) }.isEmpty)

        let connection = try Connection(":memory:")
        try connection.addTokenizer("code") { text, reason, emit in
            var start = 0
            for index in 0...text.count {
                let isEnd = index == text.count || text[index] == UInt8(ascii: "_")
                if !isEnd { continue }
                if start < index { try emit(start..<index) }
                start = index + 1
            }
        }
        try connection.execute(
            "CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'code')")
        try connection.run("INSERT INTO names VALUES('read_next')")
        #expect(try connection.query("SELECT count(*) FROM names('next')") == 1)
        try connection.execute("""
            CREATE VIRTUAL TABLE posts USING fts5(a, b, weight UNINDEXED);
            INSERT INTO posts VALUES('swift', '', 1), ('swift', '', 9);
            """)
        try connection.addRankingFunction("recency") { match in
            match.bm25() * (try match.column(2, as: Double.self))
        }
        let ids: [Int] = try connection.query(
            "SELECT rowid FROM posts WHERE posts MATCH 'swift' ORDER BY recency(posts)")
        #expect(ids == [2, 1])
    }

    @Test func history() throws {
        let schema = Schema("mails") {
            Version(1) {
                CreateTable("mails") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("subject", String.self)
                    ColumnDef("body", String?.self)
                }
                CreateSearchTable(
                    "mails_search", of: "mails", rowID: "id", columns: "subject", "body",
                    tokenizer: .cjk)
            }
            Version(2) {
                AlterTable("mails") {
                    RenameColumn("body", to: "text")
                    ChangeColumn("subject", to: String.self, fillingWith: "trim(subject)")
                }
            }
        }
        try schema.verify()
        let connection = try Connection(":memory:")
        try schema.migrate(connection)
        #expect(try connection.searchTableInfo("mails_search")?.columns.map(\.name) == ["subject", "text"])
    }
}
