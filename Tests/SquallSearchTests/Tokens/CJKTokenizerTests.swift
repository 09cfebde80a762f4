import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The tokenizer `cjk`.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct CJKTokenizerTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.addCJKTokenizer()
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = cjk);
            CREATE VIRTUAL TABLE tokens USING fts5vocab(notes, instance);
            """)
    }

    private func tokens(of text: String) throws -> String {
        try connection.run("DELETE FROM notes")
        try connection.run("INSERT INTO notes VALUES(\(text))")
        let tokens: [String] = try connection.query(
            "SELECT term || '@' || offset FROM tokens ORDER BY offset, length(term) DESC, term")
        return tokens.joined(separator: " ")
    }

    private func found(_ pattern: SearchPattern) throws -> [Int] {
        try connection.query("SELECT rowid FROM notes WHERE notes MATCH \(pattern) ORDER BY rowid")
    }

    @Test func runsBecomePairsAndOtherTextBecomesWords() throws {
        #expect(try tokens(of: "日本語") == "日本@0 日@0 本語@1 本@1 語@2")
        #expect(try tokens(of: "語") == "語@0")
        #expect(try tokens(of: "ひらカナ") == "ひら@0 ひ@0 らカ@1 ら@1 カナ@2 カ@2 ナ@3")
        #expect(try tokens(of: "한국어") == "한국@0 한@0 국어@1 국@1 어@2")
        #expect(try tokens(of: "Swift言語 Ünïcode") == "swift@0 言語@1 言@1 語@2 unicode@3")
        #expect(try tokens(of: "日本、東京。") == "日本@0 日@0 本@1 東京@2 東@2 京@3")
        #expect(try tokens(of: "𠮷野家") == "𠮷野@0 𠮷@0 野家@1 野@1 家@2")
        #expect(try tokens(of: "ｶﾅ") == "ｶﾅ@0 ｶ@0 ﾅ@1")
        #expect(try tokens(of: "") == "")
        #expect(try tokens(of: "a-b c") == "a@0 b@1 c@2")
    }

    @Test func wordsOfTwoCharactersAndMoreAreFoundAnywhere() throws {
        try connection.run(
            "INSERT INTO notes VALUES('東京都は日本の首都です'), ('京都は古い都'), ('データベースの検索'), ('한국어 검색'), ('SQLite の検索')")
        #expect(try found(.allWords("東京")) == [1])
        #expect(try found(.allWords("京都")) == [1, 2])
        #expect(try found(.allWords("検索")) == [3, 5])
        #expect(try found(.allWords("データベース")) == [3])
        #expect(try found(.allWords("sqlite 検索")) == [5])
        #expect(try found(.allWords("首都 東京")) == [1])
        #expect(try found(.allWords("검색")) == [4])
        #expect(try found(.phrase("東京都は日本")) == [1])
        #expect(try found(.phrase("日本都")) == [])
    }

    @Test func oneCharacterIsFoundByAPrefix() throws {
        try connection.run("INSERT INTO notes VALUES('東京都'), ('京'), ('大阪の京'), ('abc')")
        #expect(SearchPattern.allWords("京").text == #""京" *"#)
        #expect(try found(.allWords("京")) == [1, 2, 3])
        #expect(try found(.allWords("都")) == [1])
        #expect(try found(.allWords("東")) == [1])
        #expect(try found(.anyWord("阪 都")) == [1, 3])
        #expect(try found(.allWords("abc 京")) == [])
        #expect(try found("都*") == [1])
        #expect(try found("都") == [1])
    }

    @Test func wordsFollowTheRulesOfUnicode61() throws {
        try connection.run("INSERT INTO notes VALUES('Crème BRÛLÉE'), ('über'), ('twenty-one')")
        #expect(try found(.allWords("creme brulee")) == [1])
        #expect(try found(.prefix("ub")) == [2])
        #expect(try found(.allWords("one")) == [3])
    }

    @Test func marksAreAroundWholeCharacters() throws {
        try connection.run("INSERT INTO notes VALUES('これは日本語のテキスト, nice text')")
        func marked(_ pattern: SearchPattern) throws -> String {
            try connection.query("SELECT highlight(notes, 0, '[', ']') FROM notes WHERE notes MATCH \(pattern)")
        }
        #expect(try marked(.allWords("日本語")) == "これは[日本語]のテキスト, nice text")
        #expect(try marked(.allWords("日本")) == "これは[日本]語のテキスト, nice text")
        #expect(try marked(.allWords("text")) == "これは日本語のテキスト, nice [text]")
        #expect(try marked(.allWords("日本 nice")) == "これは[日本]語のテキスト, [nice] text")
        #expect(try marked(.allWords("語")) == "これは日本[語]のテキスト, nice text")
        #expect(try marked(.allWords("ト")) == "これは日本語のテキス[ト], nice text")
        // Matches that overlap, and matches beside each other, which a newer SQLite marks as one.
        #expect(try marked(.allWords("日本 本語")) == "これは[日本語]のテキスト, nice text")
        let joins = SQLiteFeatures.joinsMarks
        #expect(
            try marked(.anyWord("日本 語の の"))
                == (joins ? "これは[日本語の]テキスト, nice text" : "これは[日本][語の]テキスト, nice text"))
        #expect(
            try marked(.allWords("これ 日本語のテ は"))
                == (joins ? "[これは日本語のテ]キスト, nice text" : "[これ][は][日本語のテ]キスト, nice text"))
        let snippet: String = try connection.query(
            "SELECT snippet(notes, 0, '[', ']', '…', 5) FROM notes WHERE notes MATCH \(SearchPattern.allWords("テキ"))")
        #expect(snippet.unicodeScalars.contains("[") && SearchPatternText.has(snippet, "[テキ]"))
    }

    @Test func variationSelectorsAreNotPartOfTokens() throws {
        #expect(try tokens(of: "葛\u{e0100}城") == "葛城@0 葛@0 城@1")
        #expect(try tokens(of: "葛\u{fe00}") == "葛@0")
        #expect(try found(.allWords("葛")) == [1])
    }

    @Test func argumentsAreThoseOfUnicode61() throws {
        try connection.execute(
            "CREATE VIRTUAL TABLE others USING fts5(body, tokenize = 'cjk remove_diacritics 0 tokenchars ''-''')")
        try connection.run("INSERT INTO others VALUES('é a-b 日本')")
        #expect(try connection.query("SELECT count(*) FROM others('e')") == 0)
        #expect(try connection.query("SELECT count(*) FROM others('\"a-b\"')") == 1)
        #expect(try connection.query("SELECT count(*) FROM others('日本')") == 1)
        let error = try sqliteError {
            try connection.execute("CREATE VIRTUAL TABLE wrong USING fts5(body, tokenize = 'cjk nonsense 1')")
        }
        #expect(error.message == "error in tokenizer constructor")
    }

    @Test func invalidTextAndNULAreNoError() throws {
        try connection.run("INSERT INTO notes VALUES(CAST(x'e697a5ffe697a5e69c' AS TEXT))")
        try connection.run("INSERT INTO notes VALUES(\("日\0本 a\0b"))")
        try connection.run("INSERT INTO notes VALUES(CAST(x'f0a0ae' AS TEXT)), (CAST(x'e6' AS TEXT))")
        #expect(try found(.allWords("日")) == [1, 2])
        #expect(try found(.allWords("b")) == [2])
    }

    @Test func randomTextIsFoundByEachOfItsParts() throws {
        let seed = 11
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let characters = ["日", "本", "語", "東", "京", "ア", "イ", "ー", "가", "나", "𠮷"]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 1...10, using: &generator)).map { _ in generator.pick(characters) }
            try connection.run("DELETE FROM notes")
            try connection.run("INSERT INTO notes VALUES(\(text.joined()))")
            let start = Int.random(in: 0..<text.count, using: &generator)
            let end = Int.random(in: start..<text.count, using: &generator) + 1
            let part = text[start..<end].joined()
            #expect(try !found(.allWords(part)).isEmpty, "\(part) in \(text.joined())")
            #expect(try !found(.allWords(part, lastIsPrefix: true)).isEmpty, "\(part) in \(text.joined())")
        }
    }

    @Test func addingItTwiceDoesNothing() throws {
        try connection.addCJKTokenizer()
        #expect(try tokens(of: "日本") == "日本@0 日@0 本@1")
    }

    @Test func aConnectionWithoutItSaysWhatToCall() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("notes.db")
        try connection.run("VACUUM INTO \(path)")
        let other = try Connection(path)
        let error = try sqliteError { try other.run("SELECT * FROM notes WHERE notes MATCH 'one'") }
        #expect(error.message == "no such tokenizer: cjk")
        #expect(error.hint?.utf8.starts(with: "`import SquallSearch`, and call addCJKTokenizer()".utf8) == true)
        try other.addCJKTokenizer()
        try other.run("SELECT * FROM notes WHERE notes MATCH 'one'")
    }
}

enum SearchPatternText {
    /// Whether a text contains another one, byte by byte.
    static func has(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }
}
