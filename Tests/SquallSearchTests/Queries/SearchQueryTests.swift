import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Typed searches: the SQL that they run, and their rows.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchQueryTests {
    struct Note: Searchable, Equatable {
        let id: Int64?
        let author: Int64
        let title: String
        let body: String?

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("author", \Note.author)
            Column("title", \Note.title)
            Column("text", \Note.body)
        }

        static let searchTable = SearchTable(
            "notes_search", of: table, columns: \.title, \.body, tokenizer: .cjk)
    }

    struct Author: TableRecord, Equatable {
        let id: Int64?
        let name: String

        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name)
        }
    }

    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.create(Author.table)
        try connection.create(Note.table)
        try connection.create(Note.searchTable)
        try connection.insert(contentsOf: [Author(id: 1, name: "Ada"), Author(id: 2, name: "Bo")])
        try connection.insert(contentsOf: [
            Note(id: 1, author: 1, title: "Swift and SQLite", body: "A short text about both."),
            Note(id: 2, author: 2, title: "Birds", body: "The swift is a bird. A swift flies, and the swift sleeps."),
            Note(id: 3, author: 1, title: "日本語の検索", body: "テキスト"),
            Note(id: 4, author: 2, title: "Empty swift", body: nil),
        ])
    }

    private func ids(_ query: some ClauseQuery1<SearchColumns<Note>>) throws -> [Int64?] {
        try connection.all(query.select { $0.id })
    }

    @Test func theCallSitesOfTheContract() throws {
        let rows = try connection.all(
            Note.search("NEAR(swift sqlite)").order { $0.rank }.select {
                ($0.id, $0.snippet(\.body, around: "<b>", "</b>"))
            })
        #expect(rows.map(\.0) == [1])
        #expect(rows.map(\.1) == ["A short text about both."])
        let userInput = "swi"
        let pattern = SearchPattern.allWords(userInput, lastIsPrefix: true)
        let notes: [Note] = try connection.all(Note.search(pattern))
        #expect(notes.map(\.id) == [1, 2, 4])
    }

    @Test func theSQLOfASearch() {
        let query = Note.search("swift").order { $0.rank }.limit(20)
            .select { ($0.id, $0.title, $0.rank, $0.highlight(\.title, around: "[", "]")) }
        #expect(
            query.sql.text == """
                SELECT "notes"."id", "notes"."title", "notes_search".rank, highlight("notes_search"."notes_search", 0, ?, ?) \
                FROM "notes" JOIN "notes_search" ON "notes_search".rowid = "notes"."id" \
                WHERE "notes_search"."notes_search" MATCH ? ORDER BY "notes_search".rank ASC LIMIT ?
                """)
        #expect(query.sql.parameters == [.text("["), .text("]"), .text("swift"), .integer(20)])
    }

    @Test func snippetsHighlightsAndWeights() throws {
        let query = Note.search("swift").order { $0.bm25(10, 1) }
        #expect(try ids(query) == [4, 1, 2])
        let titles = try connection.all(query.select { $0.highlight(\.title, around: "[", "]") })
        #expect(titles == ["Empty [swift]", "[Swift] and SQLite", "Birds"])
        let bodies: [String?] = try connection.all(
            query.select { $0.snippet(\.body, around: "[", "]", ellipsis: "~", tokens: 3) })
        #expect(bodies == [nil, "A short text~", "The [swift] is~"])
        let best: [String?] = try connection.all(query.select { $0.snippet(around: "[", "]") })
        #expect(best.first == "Empty [swift]")
        let ranks = try connection.all(query.select { ($0.rank, $0.bm25()) })
        for (rank, bm25) in ranks { #expect(rank == bm25 && rank < 0) }
    }

    @Test func conditionsLimitsAndOrdersAddUp() throws {
        #expect(try ids(Note.search("swift").where { $0.author == 2 }.order { $0.id.descending }) == [4, 2])
        #expect(try ids(Note.search("swift").order { $0.id }.limit(1, offset: 1)) == [2])
        #expect(try ids(Note.search("swift").where { $0.body == nil }) == [4])
        #expect(try ids(Note.search(.allWords("検索"))) == [3])
        #expect(try ids(Note.search(.allWords("索"))) == [3])
        #expect(try ids(Note.search(.allWords("")).order { $0.rank }) == [])
        #expect(try connection.count(Note.self) { $0.matches("swift") } == 3)
    }

    @Test func joinsWithOtherTables() throws {
        let rows = try connection.all(
            Note.search("swift").join(Author.self) { $0.author == $1.id }.order { note, _ in note.rank }
                .select { ($1.name, $0.title, $0.snippet(\.title, around: "[", "]")) })
        #expect(rows.count == 3)
        #expect(rows.contains { $0 == ("Ada", "Swift and SQLite", "[Swift] and SQLite") })
        let authors = try connection.all(
            Author.join(Note.self) { $0.id == $1.author }.where { $1.matches("bird") }.select { author, _ in author.name
            })
        #expect(authors == ["Bo"])
        let sql = Author.join(Note.self) { $0.id == $1.author }.where { $1.matches("bird") }.select { author, _ in
            author.name
        }.sql
        #expect(
            sql.text == """
                SELECT "authors"."name" FROM "authors" JOIN "notes" ON "authors"."id" = "notes"."author" \
                WHERE "notes"."id" IN (SELECT rowid FROM "notes_search" WHERE "notes_search" MATCH ?)
                """)
        let pairs = try connection.all(
            Note.search("swift").leftJoin(Author.self) { $0.author == $1.id && $1.name == "Ada" }
                .order { note, _ in note.id }.select { ($0.record, $1.record) })
        #expect(pairs.map(\.0.id) == [1, 2, 4])
        #expect(pairs.map(\.1?.name) == ["Ada", nil, nil])
    }

    @Test func aTableSearchedTwiceHasTwoNames() throws {
        let other = Note.as("other")
        let query = Note.search("swift").join(other) { $0.author == $1.author && $0.id != $1.id }
            .where { $1.matches("日本*") }.select { ($0.id, $1.id) }
        let rows = try connection.all(query)
        #expect(rows.count == 1 && rows[0] == (1, 3))
    }

    @Test func aSearchInASubqueryAndACommonTable() throws {
        let found = Note.search("swift").select { $0.author }
        let names = try connection.all(Author.where { $0.id.in(found) }.order { $0.name }.select { $0.name })
        #expect(names == ["Ada", "Bo"])
        let common = Note.search("swift").named("found")
        #expect(try connection.all(common.query).count == 3)
        let kind = try errorKind { _ = try connection.all(common.order { $0.rank }) }
        #expect(kind == .problem(SearchTableProblem.notInQuery, of: .table("notes")))
        let argument = common.order { Expr<Double>("bm25(\($0.searchTable))") }
        #expect(
            try errorKind { _ = try connection.all(argument) }
                == .problem(SearchTableProblem.notInQuery, of: .table("notes")))
    }

    @Test func aPatternMatchesTheRecordsOfAnInnerQuery() throws {
        let pairs = Note.select { ($0.record, $0.author) }.named("pairs")
        let query = pairs.where { note, _ in note.matches("swift") }.order { note, _ in note.id }
        #expect(try connection.all(query).map(\.0.id) == [1, 2, 4])
    }

    @Test func pagesOfASearch() throws {
        let query = Note.search("swift").order { $0.rank }
        let first = try connection.all(query.limit(2))
        let rest = try connection.all(query.limit(2, offset: 2))
        #expect(first.count == 2 && rest.count == 1)
        #expect(Set((first + rest).map(\.id)) == [1, 2, 4])
    }

    @Test func theIndexReturnsTheRowsInTheOrderOfTheRank() throws {
        let query = Note.search("swift").where { $0.author == 2 }.order { $0.rank }.limit(20)
        let plan: [String] = try connection.query("EXPLAIN QUERY PLAN \(query.sql)") { $0[3] }
        #expect(plan.count == 2)
        #expect(plan.first?.utf8.starts(with: "SCAN notes_search VIRTUAL TABLE INDEX".utf8) == true)
        #expect(plan.last == "SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)")
    }

    @Test func observedSearchesFollowTheTable() async throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("notes.db"), preparation: { try $0.addCJKTokenizer() })
        try await database.write {
            try $0.create(Note.table)
            try $0.create(Note.searchTable)
        }
        var values = database.observe { try $0.all(Note.search(.allWords("検索")).select { $0.id }) }.makeAsyncIterator()
        #expect(try await values.next() == [])
        try await database.write { try $0.insert(Note(id: 1, author: 1, title: "日本語の検索", body: nil)) }
        #expect(try await values.next() == [1])
        try await database.write { try $0.run("UPDATE notes SET title = 'x'") }
        #expect(try await values.next() == [])
    }

    @Test func ownFunctionsTakeTheSearchTable() throws {
        try connection.addRankingFunction("shortest") { Double(try $0.tokenCount()) }
        let ids = try connection.all(
            Note.search("swift").order { Expr<Double>("shortest(\($0.searchTable))").ascending }.select { $0.id })
        #expect(ids == [4, 1, 2])
    }

    @Test func aRecordCanHaveSeveralSearchTables() throws {
        let titles = SearchTable("titles", of: Note.table, columns: \.title, prefixes: [2], detail: .column)
        try connection.create(titles)
        #expect(
            titles.definition.sql.text
                == #"CREATE VIRTUAL TABLE "titles" USING fts5("title", content = 'notes', content_rowid = 'id', prefix = '2', detail = 'column')"#
        )
        #expect(try connection.all(Note.search("swift", in: titles).select { $0.id }) == [1, 4])
        #expect(try connection.all(titles.search("swift").order { $0.rank }).count == 2)
        #expect(try connection.count(Note.self) { $0.matches("sw*", in: titles) } == 2)
        let error = try sqliteError {
            _ = try connection.all(titles.search("swift").select { $0.highlight(\.body, around: "", "") })
        }
        guard case .unknownProperty? = error.problem(SearchTableProblem.self), error.subject == .table("titles") else {
            Issue.record("\(error)")
            return
        }
    }

    struct Keyless: TableRecord {
        let name: String
        let text: String

        static let table = Table("keyless", Keyless.init) {
            Column("name", \Keyless.name, .primaryKey)
            Column("text", \Keyless.text)
        }

        var both: String { name + text }
    }

    @Test func wrongDeclarationsThrowWhereTheyAreUsed() throws {
        let keyless = SearchTable("s", of: Keyless.table, columns: \.text)
        #expect(
            try errorKind { try connection.create(keyless) }
                == .problem(SearchTableProblem.noRowID(table: "keyless"), of: .table("s")))
        #expect(
            try errorKind { _ = try connection.all(keyless.search("a")) }
                == .problem(SearchTableProblem.noRowID(table: "keyless"), of: .table("s")))
        let matching = Keyless.table.where { $0.matches("a", in: keyless) }
        #expect(
            try errorKind { _ = try connection.all(matching) }
                == .problem(SearchTableProblem.noRowID(table: "keyless"), of: .table("s")))
        let twice = SearchTable("s", of: Note.table, columns: \.title, \.title)
        #expect(
            try errorKind { try connection.create(twice) }
                == .problem(SearchTableProblem.repeatedColumn("title"), of: .table("s")))
        let computed = SearchTable("s", of: Keyless.table, columns: \.both)
        #expect(throws: SQLiteError.self) { try connection.create(computed) }
    }

    @Test func readersOfADatabaseSearchToo() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("notes.db"), preparation: { try $0.addCJKTokenizer() })
        try database.blocking.writeWithoutTransaction {
            try $0.create(Note.table)
            try $0.create(Note.searchTable)
            try $0.insert(Note(id: 1, author: 1, title: "日本語", body: nil))
        }
        let found = try database.blocking.read { try $0.all(Note.search(.allWords("本語"))) }
        #expect(found.map(\.id) == [1])
        // A snapshot does not change.
        let snapshot = try database.blocking.snapshot()
        try database.blocking.writeWithoutTransaction { try $0.delete(from: "notes") }
        let old = try snapshot.blocking.read { try $0.all(Note.search(.allWords("本語"))) }
        #expect(old.map(\.id) == [1])
        #expect(try database.blocking.read { try $0.all(Note.search(.allWords("本語"))) }.isEmpty)
    }

    @Test func aColumnOfASearchIsNamedByItsKeyPath() throws {
        #expect(try ids(Note.search("swift").where { $0[\.author] == 2 }.order { $0.id }) == [2, 4])
    }

    /// SQLite matches the pattern in the inner query: it refuses MATCH beside a full join.
    @Test func aSearchInAFullJoinMayHaveNoRow() throws {
        let rows = try connection.all(
            Note.search("bird").named("found").fullJoin(Author.self) { $0.author == $1.id }.order { $1.id }.select {
                ($0.id, $1.name)
            })
        #expect(rows.map(\.0) == [nil, 2] && rows.map(\.1) == ["Ada", "Bo"])
    }

    @Test func aColumnThatIsNotSearchedIsReadOfTheRow() throws {
        let titles = SearchTable("titles", of: Note.table, columns: \.title, unindexed: [\.body])
        try connection.create(titles)
        #expect(
            try connection.query("SELECT text FROM titles('birds')")
                == "The swift is a bird. A swift flies, and the swift sleeps.")
        #expect(try connection.all(titles.search("swift").order { $0.id }.select { $0.id }) == [1, 4])
    }

    private static let trigrams = SearchTable(
        "notes_trigrams", of: Note.table, columns: \.title, \.body, tokenizer: .trigram)

    /// FTS5 would leave the word out, and find rows without it.
    @Test(arguments: [
        SearchPattern.allWords("quick ok"), .anyWord("ok quick"), .allWords("quick") && .allWords("ok"),
        .allWords("swift").excluding(.allWords("a")), .near("swift is"), .prefix("sw"), .phrase("ab").in("title"),
        .allWords("日本"), .allWords("swift sq", lastIsPrefix: true),
    ]) func wordsThatTrigramsCannotFind(_ pattern: SearchPattern) throws {
        try connection.create(Self.trigrams)
        for isJoined in [true, false] {
            let error = #expect(throws: SQLiteError.self) {
                isJoined
                    ? try connection.all(Note.search(pattern, in: Self.trigrams))
                    : try connection.all(Note.where { $0.matches(pattern, in: Self.trigrams) })
            }
            guard case .shortWord(let word)? = error?.problem(SearchTableProblem.self),
                error?.subject == .table("notes_trigrams")
            else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(word.unicodeScalars.count < 3)
        }
        // Another tokenizer finds such words, and this one those of three characters.
        _ = try connection.all(Note.search(pattern))
        #expect(try connection.all(Note.search(.phrase("t i"), in: Self.trigrams)).map(\.id) == [2])
        #expect(try connection.all(Note.search(.allWords("wif leep"), in: Self.trigrams)).map(\.id) == [2])
    }
}
