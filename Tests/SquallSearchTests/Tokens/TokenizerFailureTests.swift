import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Tokenizers that throw, emit wrong ranges, or use their connection.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct TokenizerFailureTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private struct Refusal: Error, Equatable {
        let word: String
    }

    private func createTable(
        _ tokenize: @escaping (Span<UInt8>, TokenizationReason, borrowing TokenEmitter) throws -> Void
    ) throws {
        try connection.addTokenizer("t", tokenize)
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = t)")
    }

    @Test(arguments: [0..<6, 5..<6, 1..<2, 0..<1, 2..<3, -1..<2, 0 ..< .max, .min..<0, 4..<4_000_000_000])
    func aRangeThatIsNotOfTheTextOrSplitsACharacterIsAnError(_ range: Range<Int>) throws {
        // é is two bytes, 語 is three.
        try createTable { _, _, emit in try emit("x", range) }
        let error = try sqliteError { try connection.run("INSERT INTO names VALUES('é語')") }
        #expect(error.kind == .problem(TokenizerProblem.range(range, byteCount: 5)))
        #expect(error.resultCode == .misuse)
        #expect(try connection.query("SELECT count(*) FROM names") == 0)
    }

    @Test(arguments: [0..<0, 0..<2, 2..<5, 0..<5, 5..<5])
    func aRangeOfWholeCharactersIsAccepted(_ range: Range<Int>) throws {
        try createTable { _, reason, emit in try emit("x", reason == .document ? range : 0..<1) }
        try connection.run("INSERT INTO names VALUES('é語')")
        #expect(try connection.query("SELECT count(*) FROM names('x')") == 1)
    }

    @Test func aRangeBeforeThePreviousOneIsAnError() throws {
        try createTable { _, _, emit in
            try emit("x", 2..<3)
            try emit("y", 1..<2)
        }
        let kind = try errorKind { try connection.run("INSERT INTO names VALUES('abc')") }
        #expect(kind == .problem(TokenizerProblem.range(1..<2, byteCount: 3)))
    }

    @Test func aTokenWithoutBytesIsAnError() throws {
        try createTable { _, _, emit in try emit("", 0..<1) }
        #expect(
            try errorKind { try connection.run("INSERT INTO names VALUES('abc')") }
                == .problem(TokenizerProblem.emptyToken))
        try createOther { _, _, emit in try emit(1..<1) }
        #expect(
            try errorKind { try connection.run("INSERT INTO others VALUES('abc')") }
                == .problem(TokenizerProblem.emptyToken))
    }

    private func createOther(
        _ tokenize: @escaping (Span<UInt8>, TokenizationReason, borrowing TokenEmitter) throws -> Void
    ) throws {
        try connection.addTokenizer("o", tokenize)
        try connection.execute("CREATE VIRTUAL TABLE others USING fts5(name, tokenize = o)")
    }

    @Test func aWrongRangeThatTheTokenizerIgnoresLeavesTheTokenOut() throws {
        try createTable { text, reason, emit in
            if reason == .document { try? emit("x", 0..<1) }
            try emit("y", 0..<text.count)
        }
        try connection.run("INSERT INTO names VALUES('é')")
        #expect(try connection.query("SELECT count(*) FROM names('y')") == 1)
    }

    @Test func anErrorOfTheClosureIsThrownWithItsOwnType() throws {
        try createTable { text, reason, _ in throw Refusal(word: "\(reason)") }
        #expect(throws: Refusal(word: "document")) { try connection.run("INSERT INTO names VALUES('a')") }
        #expect(throws: Refusal(word: "query")) { let _: Int = try connection.query("SELECT count(*) FROM names('a')") }
        #expect(throws: Refusal(word: "prefixQuery")) {
            let _: Int = try connection.query("SELECT count(*) FROM names('a*')")
        }
        // Through a trigger.
        try connection.execute(
            """
            CREATE TABLE t(a);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO names VALUES(new.a); END;
            """)
        #expect(throws: Refusal(word: "document")) { try connection.run("INSERT INTO t VALUES('a')") }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
        // The next error is SQLite's own.
        #expect(try sqliteError { try connection.run("SELECT nowhere") }.message == "no such column: nowhere")
    }

    @Test func anErrorWhileTheTokenizerIsMadeIsThrownByTheCreation() throws {
        try connection.addTokenizer("t", makingWith: { arguments in throw Refusal(word: arguments.first ?? "none") })
        #expect(throws: Refusal(word: "loud")) {
            try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 't loud')")
        }
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test func anErrorInAnAuxiliaryFunctionOfFTS5IsThrown() throws {
        try createTable { text, reason, emit in
            if reason == .auxiliary { throw Refusal(word: "mark") }
            try emit(0..<text.count)
        }
        try connection.run("INSERT INTO names VALUES('a')")
        #expect(throws: Refusal(word: "mark")) {
            let _: String = try connection.query("SELECT highlight(names, 0, '[', ']') FROM names('a')")
        }
    }

    @Test func theConnectionCannotBeUsedInATokenizer() throws {
        let messages = Log()
        try createTable { [unowned connection] text, _, emit in
            do { try connection.run("DELETE FROM names") } catch { messages.add("\(error)") }
            try emit(0..<text.count)
        }
        try connection.run("INSERT INTO names VALUES('a')")
        #expect(messages.lines.count == 1)
        #expect(messages.lines.first?.utf8.starts(with: "SQLiteError".utf8) == true || !messages.lines.isEmpty)
        #expect(try connection.query("SELECT count(*) FROM names('a')") == 1)
    }

    @Test func aTokenizerThatClosesTheConnectionEndsTheStatement() throws {
        try createTable { [unowned connection] text, _, emit in
            connection.close()
            try emit(0..<text.count)
        }
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO names VALUES('a')") }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
    }

    private final class Token {
        let released: () -> Void
        init(_ released: @escaping () -> Void) { self.released = released }
        deinit { released() }
    }

    @Test func theClosureIsReleasedWhenTheConnectionIsClosed() throws {
        let log = Log()
        do {
            let token = Token { log.add("released") }
            try connection.addTokenizer(
                "t",
                makingWith: { [token] _ in
                    { text, _, emit in
                        withExtendedLifetime(token) {}; if text.count > 0 { try emit(0..<text.count) }
                    }
                })
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = t)")
        try connection.execute("INSERT INTO names VALUES('a'); DROP TABLE names")
        #expect(log.lines == [])
        connection.close()
        #expect(log.lines == ["released"])
    }

    @Test func aStatementThatOutlivesTheConnectionEndsTheTokenizer() throws {
        let log = Log()
        var statement: Statement?
        do {
            let connection = try Connection(":memory:")
            let token = Token { log.add("released") }
            try connection.addTokenizer("t") { [token] text, _, emit in
                withExtendedLifetime(token) {}
                if text.count > 0 { try emit(0..<text.count) }
            }
            try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = t)")
            try connection.execute("INSERT INTO names VALUES('a'), ('b')")
            let made = try connection.prepare("SELECT name FROM names")
            _ = try made.step()
            connection.close()
            statement = made
        }
        #expect(throws: SQLiteError.self) { _ = try statement?.step() }
        statement = nil
        #expect(log.lines == ["released"])
    }

    @Test func anObjectOfATokenizerThatUsesTheConnectionWhileItIsReleasedGetsAnError() throws {
        let log = Log()
        try connection.addTokenizer(
            "t",
            makingWith: { [unowned connection] _ in
                let token = Token {
                    do { try connection.run("SELECT 1") } catch { log.add("refused") }
                    connection.close()
                }
                return { text, _, emit in
                    withExtendedLifetime(token) {}
                    if text.count > 0 { try emit(0..<text.count) }
                }
            })
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = t)")
        #expect(throws: SQLiteError.self) { try connection.execute("DROP TABLE names") }
        #expect(log.lines == ["refused"])
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
    }

    @Test func aTokenizerCannotBeAddedInAFunction() throws {
        try connection.addFunction("f") { [unowned connection] () -> Int in
            try connection.addTokenizer("t") { _, _, _ in }
            return 1
        }
        #expect(try sqliteError { try connection.run("SELECT f()") }.resultCode == .busy)
        #expect(throws: SQLiteError.self) { try connection.addTokenizer("a\0b") { _, _, _ in } }
        connection.close()
        #expect(throws: SQLiteError.self) { try connection.addTokenizer("t") { _, _, _ in } }
    }

    @Test func anAuthorizerDoesNotStopTheRegistration() throws {
        let authorizer = connection.addAuthorizer { _, _, _, _, _ in .deny }
        try connection.addTokenizer("t") { text, _, emit in if text.count > 0 { try emit(0..<text.count) } }
        try connection.addCJKTokenizer()
        try connection.addRankingFunction("r") { _ in 1 }
        authorizer.cancel()
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = t)")
    }

    @Test func withoutFTS5TheErrorSaysSo() throws {
        // As an SQLite without FTS5: the function that passes its interface on does nothing.
        try connection.addFunction("fts5") { (_: Int?) in 1 }
        #expect(try errorKind { try connection.addTokenizer("t") { _, _, _ in } } == .libraryLacks(.fullTextSearch))
        #expect(try errorKind { try connection.addCJKTokenizer() } == .libraryLacks(.fullTextSearch))
        let error = try sqliteError { try connection.addRankingFunction("r") { _ in 1 } }
        #expect(error.message == "this SQLite was built without FTS5")
    }

    @Test func aTableWhoseTokenizerIsMissingSaysSo() throws {
        try createTable { text, _, emit in if text.count > 0 { try emit(0..<text.count) } }
        let directory = try TemporaryDirectory()
        let path = directory.file("names.db")
        try connection.run("VACUUM INTO \(path)")
        let other = try Connection(path)
        // Since SQLite 3.47, a statement that needs no tokenizer can use the table.
        let error = try sqliteError { try other.run("SELECT * FROM names WHERE names MATCH 'a'") }
        #expect(error.message == "no such tokenizer: t")
    }
}
