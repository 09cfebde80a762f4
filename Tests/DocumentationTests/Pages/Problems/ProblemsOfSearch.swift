// swift-format-ignore-file
import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Problems of search".
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5")))
struct SearchProblemSnippets {
    private let connection: Connection

    private struct Note: Searchable {
        let id: Int64, title: String, body: String

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("title", \Note.title)
            Column("body", \Note.body)
        }
        static let searchTable = SearchTable("notes_search", of: table, columns: \.title, \.body)
    }

    init() throws {
        connection = try Connection(":memory:")
        try connection.create(Note.table)
        try connection.create(Note.searchTable)
        try connection.insert(Note(id: 1, title: "Swift", body: "a language, and a bird"))
    }

    @Test func declarations() throws {
        func create(_ definition: SearchTableDefinition) throws {
            try connection.create(definition)
        }
        expect(SearchTableProblem.noColumns, #"the search table "found" has no columns"#) {
            try create(SearchTableDefinition("found", columns: []))
        }
        expect(SearchTableProblem.repeatedColumn("Title"), """
            the search table "found" has two columns "Title"
            """) {
            try create(SearchTableDefinition("found", columns: "title", "Title"))
        }
        // Also refused are `rowid` and the name of the table.
        expect(SearchTableProblem.reservedColumn("rank"), """
            FTS5 uses the name "rank" itself in the search table "found"
            """) {
            try create(SearchTableDefinition("found", columns: "rank"))
        }
        // Name the table of the texts: of: .init(table: "notes", rowID: "id").
        expect(SearchTableProblem.noSource, """
            the search table "found" has external content, and no table to read it \
            from
            """) {
            try create(SearchTableDefinition("found", columns: "title", content: .external))
        }
        // Create the table before its search table.
        expect(SearchTableProblem.unknownTable("pages"), """
            the table "pages" of the search table "found" does not exist
            """) {
            let pages = SearchTableDefinition.Origin(table: "pages", rowID: "id")
            try create(SearchTableDefinition("found", of: pages, columns: "title"))
        }
        expect(SearchTableProblem.unknownColumn("text", table: "notes"), """
            the table "notes" of the search table "found" has no column "text"
            """) {
            let notes = SearchTableDefinition.Origin(table: "notes", rowID: "id")
            try create(SearchTableDefinition("found", of: notes, columns: "text"))
        }
        expect(SearchTableProblem.conditionWithoutSizes, """
            the search table "found" has a condition, and needs `hasColumnSizes` to \
            know the rows of its index
            """) {
            let titled = SearchTableDefinition.Origin(
                table: "notes", rowID: "id", where: "title <> ''")
            try create(
                SearchTableDefinition(
                    "found", of: titled, columns: "title", hasColumnSizes: false))
        }
        struct Page: TableRecord {
            let name: String, text: String
            static let table = Table("pages", Page.init) {
                Column("name", \Page.name, .primaryKey)
                Column("text", \Page.text)
            }
        }
        // Give the table an INTEGER PRIMARY KEY, and a UNIQUE column for the other key.
        expect(SearchTableProblem.noRowID(table: "pages"), """
            the search table "found" needs the INTEGER PRIMARY KEY of the table \
            "pages", by which FTS5 finds its rows
            """) {
            try connection.create(SearchTable("found", of: Page.table, columns: \.text))
        }
    }

    @Test func queries() throws {
        let titles = SearchTable("titles", of: Note.table, columns: \.title)
        try connection.create(titles)
        expect(SearchTableProblem.unknownProperty("\\Note.body"), """
            the search table "titles" has no column for \\Note.body
            """) {
            try connection.all(
                titles.search("swift").select { $0.highlight(\.body, around: "<", ">") })
        }
        // Order by the rank before the query gets a name, or select the rank.
        let found = Note.search("swift").named("found")
        expect(SearchTableProblem.notInQuery, """
            the search table "notes" is not in this part of the query
            """) {
            try connection.all(found.order { $0.rank })
        }
        let parts = SearchTable(
            "parts", of: Note.table, columns: \.title, tokenizer: .trigram)
        try connection.create(parts)
        expect(SearchTableProblem.shortWord("sw"), """
            the tokenizer of "parts" finds words of at least three characters, and \
            not "sw": use LIKE for it
            """) {
            try connection.all(Note.search(.allWords("sw"), in: parts))
        }
    }

    @Test func functions() throws {
        // Compare the index with `phraseCount`, `columnCount` or `instanceCount`.
        try connection.addSearchFunction("third") { match in
            try match.column(2, as: String.self)
        }
        expect(SearchFunctionProblem.noSuchPart("column", index: 2), """
            the match has no column 2
            """) {
            try connection.run("SELECT third(notes_search) FROM notes_search('swift')")
        }
        try connection.addSearchFunction("times") {
            (match: borrowing SearchMatch, number: Int) in
            try number * match.instanceCount
        }
        expect(
            SearchFunctionProblem.argumentCount(function: "times", expected: 1, given: 0),
            """
            times() takes 1 argument after the table, not 0
            """) {
            try connection.run("SELECT times(notes_search) FROM notes_search('swift')")
        }
        try connection.addSearchFunction("nested") { match in
            try match.withQueryState(initial: 0) { (outer: inout Int) in
                try match.withQueryState(initial: 0) { (inner: inout Int) in inner }
            }
        }
        expect(SearchFunctionProblem.stateInUse, """
            the state of the query is used inside a closure that changes it
            """) {
            try connection.run("SELECT nested(notes_search) FROM notes_search('swift')")
        }
    }

    @Test func tokenizers() throws {
        try connection.addTokenizer("words") { text, _, emit in
            try emit("swift", 0..<99)
        }
        try connection.addTokenizer("blanks") { text, _, emit in
            try emit("", 0..<1)
        }
        try connection.execute("""
            CREATE VIRTUAL TABLE names USING fts5(name, tokenize = words);
            CREATE VIRTUAL TABLE lines USING fts5(line, tokenize = blanks);
            """)
        // The range of a token is one of bytes.
        expect(TokenizerProblem.range(0..<99, byteCount: 5), """
            a tokenizer emitted the range 0..<99, which is not a range of whole \
            characters of the 5 bytes, or begins before the previous one
            """) {
            try connection.run("INSERT INTO names VALUES('Swift')")
        }
        expect(TokenizerProblem.emptyToken, "a tokenizer emitted a token without bytes") {
            try connection.run("INSERT INTO lines VALUES('Swift')")
        }
    }
}

/// More blocks of the page.
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_RTREE")))
struct SpatialProblemSnippets {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE areas(id INTEGER PRIMARY KEY, west, east); INSERT INTO areas VALUES(7, 4, 2)")
    }

    @Test func boxes() throws {
        expect(SpatialProblem.dimensions(count: 0), """
            the R*Tree "boxes" has 1 to 5 dimensions, not 0
            """) {
            try connection.create(SpatialTable("boxes"))
        }
        let boxes = SpatialTable("boxes", dimensions: "x", "y")
        try connection.create(boxes)
        expect(SpatialProblem.boxDimensions(expected: 2, found: 3), """
            a box in the R*Tree "boxes" has 2 dimensions, not 3
            """) {
            try connection.insert(.point(1, 2, 3), into: boxes)
        }
        // The R*Tree stores coordinates as 32-bit numbers.
        expect(SpatialProblem.coordinate(1e39), """
            the R*Tree "boxes" cannot store the coordinate 1e+39
            """) {
            try connection.insert(.point(0, 1e39), into: boxes)
        }
        try connection.addSpatialFunction("near") { (score: Double) in
            { _ in .inside(score: score) }
        }
        try connection.insert(.point(0, 1), into: boxes)
        expect(SpatialProblem.invalidScore(function: "near"), """
            near(): a score is a number that is not negative
            """) {
            try connection.entries(boxes.matching("near", -1.0))
        }
        // Correct the row: its west is greater than its east.
        let areas = SpatialTable("area_boxes", dimensions: "x")
        try connection.create(areas)
        expect(SpatialProblem.source(table: "areas", id: 7), """
            the coordinates of the row 7 of "areas" do not fit the R*Tree \
            "area_boxes"
            """) {
            try connection.createTriggers(
                for: areas, following: "areas", bounds: [("west", "east")])
        }
    }

    @Test func damage() throws {
        let connection = try Connection(storageLocation: .inMemory)
        let boxes = SpatialTable("boxes", dimensions: "x")
        try connection.create(boxes)
        try connection.insert(SpatialBox(1...2), id: 5, into: boxes)
        // Another program exchanged the coordinates of the box.
        try connection.run("""
            UPDATE boxes_node SET data =
                substr(data, 1, 12) || substr(data, 17, 4) || substr(data, 13, 4)
                    || substr(data, 21)
            """)
        // Fill the R*Tree again, from the table that it follows.
        expect(SpatialProblem.entry(id: 5), """
            the entry 5 of the R*Tree "boxes" is damaged
            """) {
            try connection.entries(of: boxes)
        }
    }
}
