import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Ranking and search functions in Swift.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchFunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(title, body, weight UNINDEXED);
            INSERT INTO notes(rowid, title, body, weight) VALUES
                (1, 'swift', 'sqlite in swift, the swift way', 0.5),
                (2, 'birds', 'a swift is a bird', 3),
                (3, 'other', 'structured query language', 1),
                (4, 'empty', NULL, NULL);
            """)
    }

    private func value<T: Extractable>(_ sql: SQL, as type: T.Type = T.self) throws -> [T] {
        try connection.query(sql)
    }

    @Test func aRankingFunctionOrdersTheRows() throws {
        try connection.addRankingFunction("recency") { match in
            match.bm25() * (try match.column(2, as: Double.self))
        }
        let ids: [Int] = try connection.query(
            "SELECT rowid FROM notes WHERE notes MATCH 'swift' ORDER BY recency(notes)")
        #expect(ids == [2, 1])
        // As the rank of the table.
        try connection.run("INSERT INTO notes(notes, rank) VALUES('rank', 'recency()')")
        #expect(try value("SELECT rowid FROM notes WHERE notes MATCH 'swift' ORDER BY rank") == [2, 1])
    }

    @Test(arguments: ["swift", "swift OR sqlite", "a* bird", "title : swift", "\"swift way\"", "NEAR(sqlite way, 5)"])
    func bm25IsThatOfSQLite(_ pattern: String) throws {
        try connection.addRankingFunction("rank0") { $0.bm25() }
        try connection.addRankingFunction("rank1") { $0.bm25(10, 2) }
        let query = SearchPattern(raw: pattern)
        let rows: [[Double]] = try connection.query(
            """
            SELECT bm25(notes), rank0(notes), bm25(notes, 10.0, 2.0), rank1(notes) FROM notes WHERE notes MATCH \(query)
            """
        ) { [$0[0], $0[1], $0[2], $0[3]] }
        #expect(!rows.isEmpty)
        for row in rows {
            #expect(abs(row[0] - row[1]) < 1e-12)
            #expect(abs(row[2] - row[3]) < 1e-12)
        }
    }

    @Test func countsAndSizes() throws {
        try connection.addSearchFunction("numbers") { match in
            "\(match.rowID) \(match.columnCount) \(try match.rowCount) \(try match.tokenCount()) \(try match.tokenCount(column: 0)) "
                + "\(try match.tokenCount(column: 1)) \(try match.totalTokenCount()) \(try match.totalTokenCount(column: 0)) "
                + "\(match.phraseCount) \(try match.tokenCount(ofPhrase: 0))"
        }
        #expect(
            try value("SELECT numbers(notes) FROM notes WHERE notes MATCH '\"sqlite in\" swift'") == [
                "1 3 4 7 1 6 18 4 2 2"
            ])
    }

    @Test func instancesAreThePlacesOfThePhrases() throws {
        try connection.addSearchFunction("places") { match in
            var places: [String] = []
            for index in 0..<(try match.instanceCount) {
                let place = try match.instance(index)
                places.append("\(place.phrase):\(place.column):\(place.token)")
            }
            return places.joined(separator: " ")
        }
        #expect(
            try value("SELECT places(notes) FROM notes WHERE notes MATCH 'swift OR way'") == [
                "0:0:0 0:1:2 0:1:4 1:1:5", "0:1:1",
            ])
        try connection.addSearchFunction("of_phrase") { (match: borrowing SearchMatch, phrase: Int) in
            var places = ""
            try match.forEachInstance(ofPhrase: phrase) { places += "\($0):\($1) " }
            try match.forEachColumn(ofPhrase: phrase) { places += "c\($0) " }
            return places
        }
        #expect(
            try value("SELECT of_phrase(notes, 0) FROM notes WHERE notes MATCH 'swift way'") == ["0:0 1:2 1:4 c0 c1 "])
        #expect(try value("SELECT of_phrase(notes, 1) FROM notes WHERE notes MATCH 'swift way'") == ["1:5 c1 "])
    }

    @Test func columnsAreReadAsTheirTypes() throws {
        try connection.addSearchFunction("read") { (match: borrowing SearchMatch) in
            let title: String = try match.column(0)
            let body = try match.column(1, as: String?.self)
            let weight = try match.column(2, as: Double?.self)
            return "\(title)/\(body ?? "NULL")/\(weight.map { "\($0)" } ?? "NULL")"
        }
        #expect(try value("SELECT read(notes) FROM notes WHERE notes MATCH 'bird*'") == ["birds/a swift is a bird/3.0"])
        #expect(try value("SELECT read(notes) FROM notes WHERE notes MATCH 'empty'") == ["empty/NULL/NULL"])
        try connection.addRankingFunction("strict") { try $0.column(2, as: Double.self) }
        let null = try conversionError {
            try connection.run("SELECT strict(notes) FROM notes WHERE notes MATCH 'empty'")
        }
        #expect("\(null)" == "column 2: expected Double, found NULL")
        try connection.addRankingFunction("number") { Double(try $0.column(0, as: Int.self)) }
        let text = try conversionError {
            try connection.run("SELECT number(notes) FROM notes WHERE notes MATCH 'empty'")
        }
        #expect(text.columnIndex == 0 && text.found == .text)
    }

    /// FTS5 passes numbers as SQLite writes them, and words as they are.
    @Test(
        arguments: [
            ("'nan'", nil), ("'NaN'", nil), ("'inf'", nil), ("'infinity'", nil), ("'0x10'", nil), ("'0x1p3'", nil),
            ("'+'", nil),
            ("'1e3'", 1000), ("-2.5e-3", -0.0025), ("9e999", .infinity), ("-9e999", -.infinity), ("5", 5),
            ("1e300", 1e300),
        ] as [(SQL, Double?)]) func wordsAreNoNumbers(_ sql: SQL, _ expected: Double?) throws
    {
        try connection.run("INSERT INTO notes(title, weight) VALUES('word', \(sql))")
        try connection.addRankingFunction("number") { try $0.column(2, as: Double.self) }
        let query: SQL = "SELECT number(notes) FROM notes WHERE notes MATCH 'word'"
        if let expected {
            #expect(try connection.query(query) == expected)
        } else {
            #expect(throws: ConversionError.self) { try connection.query(query) as Double }
        }
    }

    @Test func queryPhraseVisitsTheRowsOfOnePhrase() throws {
        try connection.addSearchFunction("rows") { (match: borrowing SearchMatch, phrase: Int, limit: Int) in
            var rows: [String] = []
            try match.forEachRow(ofPhrase: phrase) { other in
                rows.append("\(other.rowID)(\(try other.instanceCount))")
                return rows.count < limit
            }
            return rows.joined(separator: " ")
        }
        #expect(try value("SELECT rows(notes, 0, 9) FROM notes WHERE notes MATCH 'swift way'") == ["1(3) 2(1)"])
        #expect(try value("SELECT rows(notes, 0, 1) FROM notes WHERE notes MATCH 'swift way'") == ["1(3)"])
    }

    @Test func tokenizeUsesTheTokenizerOfTheTable() throws {
        try connection.addSearchFunction("tokens") { (match: borrowing SearchMatch, text: String) in
            var tokens: [String] = []
            try match.tokenize(ContiguousArray(text.utf8).span) { token, range, placement in
                tokens.append(
                    "\(String(decoding: token.indices.map { token[$0] }, as: UTF8.self))@\(range)\(placement == .next ? "" : "+")"
                )
            }
            return tokens.joined(separator: " ")
        }
        #expect(
            try value("SELECT tokens(notes, 'Ünï C') FROM notes WHERE notes MATCH 'birds'") == ["uni@0..<5 c@6..<7"])
    }

    /// FTS5's tokenizers have one buffer for each table.
    @Test(arguments: ["unicode61", "porter", "ascii", "cjk"])
    func theTokenizerMayBeRunAgainWhileTokensAreReceived(_ tokenizer: String) throws {
        try connection.addCJKTokenizer()
        try connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, tokenize = '\(raw: tokenizer)')")
        try connection.run("INSERT INTO t VALUES('swift')")
        let words = (0..<100).map { "tok\($0)" }
        let inner = ContiguousArray(String(repeating: "x", count: 5_000).utf8)
        try connection.addSearchFunction("twice") { [unowned connection] (match: borrowing SearchMatch) in
            var tokens: [String] = []
            try match.tokenize(ContiguousArray(words.joined(separator: " ").utf8).span) { token, _, _ in
                try match.tokenize(inner.span) { _, _, _ in }
                let long = SearchPattern.phrase(String(repeating: "z", count: 9_000))
                let rows: [Int] = try connection.query("SELECT rowid FROM t WHERE t MATCH \(long)")
                #expect(rows == [])
                tokens.append(String(decoding: token.indices.map { token[$0] }, as: UTF8.self))
            }
            return tokens.joined(separator: " ")
        }
        #expect(try value("SELECT twice(t) FROM t WHERE t MATCH 'swift'") == [words.joined(separator: " ")])
    }

    /// With `detail = column`, FTS5 writes the columns and the places of a phrase with synonyms into the same memory.
    @Test func placesAndColumnsMayBeNested() throws {
        try connection.addTokenizer("synonyms") { text, reason, emit in
            var start = 0
            for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: " ") {
                if start < index {
                    try emit(start..<index)
                    if reason == .query { try emit("fast", start..<index, .colocated) }
                }
                start = index + 1
            }
        }
        try connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, b, c, d, tokenize = synonyms, detail = column)")
        let many = Array(repeating: "swift fast", count: 50).joined(separator: " ")
        try connection.run("INSERT INTO t VALUES(\(many), 'fast', 'swift', \(many))")
        try connection.addSearchFunction("nested") { match in
            var columns: [Int] = []
            var places = 0
            try match.forEachColumn(ofPhrase: 0) { column in
                columns.append(column)
                try match.forEachInstance(ofPhrase: 0) { _, _ in
                    places += 1
                    try match.forEachColumn(ofPhrase: 0) { _ in }
                }
            }
            return "\(columns) \(places)"
        }
        #expect(try value("SELECT nested(t) FROM t WHERE t MATCH 'swift'") == ["[0, 1, 2, 3] 808"])
    }

    @Test func aStateIsKeptDuringAQuery() throws {
        let log = Log()
        try connection.addSearchFunction("counted") { (match: borrowing SearchMatch) in
            try match.withQueryState(
                initial: {
                    log.add("begin"); return 10
                }()
            ) { (count: inout Int) in
                count += 1
                return count
            }
        }
        #expect(try value("SELECT counted(notes) FROM notes WHERE notes MATCH 'swift'") == [11, 12])
        #expect(try value("SELECT counted(notes) FROM notes WHERE notes MATCH 'swift'") == [11, 12])
        #expect(log.take() == ["begin", "begin"])
    }

    @Test func theRowsOfAPhraseHaveRanksAndStatesToo() throws {
        try connection.addSearchFunction("sums") { match in
            var sum = 0.0
            var count = 0
            try match.forEachRow(ofPhrase: 0) { other in
                sum += other.bm25()
                count = try other.withQueryState(initial: 0) { (count: inout Int) in
                    count += 1
                    return count
                }
                try other.forEachRow(ofPhrase: 0) { inner in
                    sum += inner.bm25() * 0
                    return false
                }
                return true
            }
            return "\(sum < 0) \(count)"
        }
        #expect(try value("SELECT sums(notes) FROM notes WHERE notes MATCH 'swift' LIMIT 1") == ["true 2"])
    }

    @Test func aStateCannotBeUsedWithinItself() throws {
        try connection.addSearchFunction("nested") { match in
            try match.withQueryState(initial: 0) { (outer: inout Int) in
                outer += 1
                return try match.withQueryState(initial: 0) { (inner: inout Int) in inner }
            }
        }
        let kind = try errorKind { try connection.run("SELECT nested(notes) FROM notes WHERE notes MATCH 'swift'") }
        #expect(kind == .problem(SearchFunctionProblem.stateInUse))
    }

    @Test func argumentsAreConvertedAndCounted() throws {
        try connection.addSearchFunction("times") { (match: borrowing SearchMatch, number: Int, text: String?) in
            "\(number * 2)\(text ?? "-")"
        }
        #expect(try value("SELECT times(notes, 4, NULL) FROM notes WHERE notes MATCH 'birds'") == ["8-"])
        let count = try errorMessage("SELECT times(notes, 4) FROM notes WHERE notes MATCH 'birds'")
        #expect(count == "times() takes 2 arguments after the table, not 1")
        let type = try errorMessage("SELECT times(notes, 'x', 'y') FROM notes WHERE notes MATCH 'birds'")
        #expect(type == "times(), argument 1: expected Int, found TEXT")
    }

    private func errorMessage(_ sql: SQL) throws -> String { try sqliteError { try connection.run(sql) }.message }

    private struct Refusal: Error, CustomStringConvertible, Equatable {
        let description = "not today"
    }

    @Test func errorsReachTheCaller() throws {
        try connection.addRankingFunction("refuse") { _ in throw Refusal() }
        #expect(throws: Refusal()) { try connection.run("SELECT refuse(notes) FROM notes WHERE notes MATCH 'swift'") }
        // From within the phrases, the tokens and the states.
        try connection.addSearchFunction("in_rows") { match in
            try match.forEachRow(ofPhrase: 0) { _ in throw Refusal() }
            return 1
        }
        #expect(throws: Refusal()) { try connection.run("SELECT in_rows(notes) FROM notes WHERE notes MATCH 'swift'") }
        try connection.addSearchFunction("tokens") { match in
            try match.tokenize(ContiguousArray<UInt8>([97]).span) { _, _, _ in throw Refusal() }
            return 1
        }
        #expect(throws: Refusal()) { try connection.run("SELECT tokens(notes) FROM notes WHERE notes MATCH 'swift'") }
        // Outside a search.
        #expect(try errorMessage("SELECT refuse(1)") == "unable to use function refuse in the requested context")
    }

    @Test func indexesOutOfRangeAreTypedErrors() throws {
        let parts: [(String, (borrowing SearchMatch) throws -> Void)] = [
            ("column -1", { _ = try $0.tokenCount(column: -1) }),
            ("column 3", { _ = try $0.totalTokenCount(column: 3) }),
            ("column 99", { _ = try $0.column(99, as: String?.self) }),
            ("phrase 1", { _ = try $0.tokenCount(ofPhrase: 1) }),
            ("phrase -1", { try $0.forEachInstance(ofPhrase: -1) { _, _ in } }),
            ("phrase 7", { try $0.forEachColumn(ofPhrase: 7) { _ in } }),
            ("phrase 2", { try $0.forEachRow(ofPhrase: 2) { _ in true } }),
            ("instance 5", { _ = try $0.instance(5) }),
            ("instance -2", { _ = try $0.instance(-2) }),
        ]
        for (index, (part, body)) in parts.enumerated() {
            try connection.addSearchFunction("f\(index)") { match in
                try body(match)
                return 1
            }
            let error = try sqliteError {
                try connection.run("SELECT \(raw: "f\(index)")(notes) FROM notes WHERE notes MATCH 'birds'")
            }
            #expect(error.message == "the match has no \(part)")
        }
    }

    @Test func aFunctionMayUseTheConnectionButNotCloseIt() throws {
        try connection.addRankingFunction("other") { [unowned connection] match in
            try connection.query("SELECT count(*) FROM notes WHERE notes MATCH 'query'")
        }
        #expect(try value("SELECT other(notes) FROM notes WHERE notes MATCH 'birds'") == [1.0])
        try connection.addRankingFunction("deep") { [unowned connection] _ in
            try connection.query("SELECT deep(notes) FROM notes WHERE notes MATCH 'birds'")
        }
        let deep = try errorMessage("SELECT deep(notes) FROM notes WHERE notes MATCH 'birds'")
        #expect(deep == "deep() is called from within itself too often")
        try connection.addRankingFunction("closes") { [unowned connection] _ in
            connection.close()
            return 1
        }
        #expect(throws: SQLiteError.self) {
            try connection.run("SELECT closes(notes) FROM notes WHERE notes MATCH 'birds'")
        }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
    }

    private final class Held {
        let released: () -> Void
        init(_ released: @escaping () -> Void) { self.released = released }
        deinit { released() }
    }

    @Test func closuresAndStatesAreReleased() throws {
        let log = Log()
        do {
            let held = Held { log.add("function") }
            try connection.addSearchFunction("f") { match in
                withExtendedLifetime(held) {}
                return try match.withQueryState(initial: Held { log.add("state") }) { _ in 1 }
            }
        }
        #expect(try value("SELECT f(notes) FROM notes WHERE notes MATCH 'swift'") == [1, 1])
        #expect(log.take() == ["state"])
        connection.close()
        #expect(log.take() == ["function"])
    }

    @Test func theTextOfAColumnThatIsNULLIsEmpty() throws {
        try connection.addSearchFunction("size_of_body") { match in try match.withText(ofColumn: 1) { $0.count } }
        #expect(try value("SELECT size_of_body(notes) FROM notes WHERE notes MATCH 'empty OR birds'") == [17, 0])
    }

    @Test func aWholeRealIsReadAsAnInteger() throws {
        try connection.run("UPDATE notes SET weight = 2.0 WHERE rowid = 1")
        try connection.addSearchFunction("weight_of") { match in try match.column(2, as: Int.self) }
        #expect(try value("SELECT weight_of(notes) FROM notes WHERE notes MATCH 'sqlite'") == [2])
    }
}
