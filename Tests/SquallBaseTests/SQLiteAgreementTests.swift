import SquallBase
import SquallSQLite
import SquallTestSupport
import Testing

/// SQLite is the judge of texts that nobody would write.
struct SQLiteAgreementTests {
    private static let seed = 20_261_129

    private static let pieces = [
        "'", "\"", "`", "[", "]", "'it''s'", "\"a\"\"b\"", "--", "-- x\n", "/*", "*/", "/* ; */", "/*/", ";", ";", ";",
        " ", " ", "\n", "\t", "\u{b}", "\u{feff}", "$x::(y)", "$x::y(z)", "$a(')", ":a", "@b", "$c", "?", "?12", "0x1F",
        "0x", "1e+5", "1e", "1.5", ".5", "1.", "1_000", "[a]", "x'00'", "X'0'", "x'00''11'", "<>", "<=", ">=", "==",
        "!=", "||", "|", "->", "->>", "<<", ">>", "+", "*", "(", ")", ",", ".", "CREATE", "TRIGGER", "TEMP", "BEGIN",
        "END", "CASE", "EXPLAIN", "QUERY", "PLAN", "SELECT", "SELECT 1", "SELECT a FROM t", "SELECT ?",
        "INSERT INTO t VALUES(:a,@b,$c)", "UPDATE t SET a = ?2", "DELETE FROM t", "WITH x AS (SELECT 1)",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN", "CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN SELECT 1;", "; END",
        "SELECT CASE WHEN 1 THEN 2 END;", "x", "é", "e\u{301}", "^", "\\", "\u{1}",
    ]

    /// The statement that SQLite prepares from a text: the number of bytes, and the parameters; `nil` if it refuses the text.
    private func prepared(_ sql: String, _ database: OpaquePointer?) -> (end: Int, parameters: [String?])? {
        sql.withCString { text in
            var (statement, tail) = (OpaquePointer?.none, UnsafePointer<CChar>?.none)
            guard sqlite3_prepare_v2(database, text, -1, &statement, &tail) == SQLITE_OK, let tail else { return nil }
            defer { sqlite3_finalize(statement) }
            let names = (0..<sqlite3_bind_parameter_count(statement)).map { index in
                sqlite3_bind_parameter_name(statement, index + 1).map { String(cString: $0) }
            }
            return (tail - text, names)
        }
    }

    /// The names of the parameters by their numbers, as SQLite gives them.
    private func parameters(of tokens: [Token]) -> [String?] {
        var (names, numbers) = ([String?](), [String: Int]())
        for name in tokens.filter({ $0.kind == .parameter }).map(\.source) {
            let number = numbers[name] ?? Int(name.dropFirst()) ?? names.count + 1
            if name != "?" { numbers[name] = number }
            while names.count < number { names.append(nil) }
            if name != "?" { names[number - 1] = names[number - 1] ?? name }
        }
        return names
    }

    @Test func statementsEndAndHaveParametersAsInSQLite() throws {
        var generator = SeededGenerator(seed: Self.seed)
        var database: OpaquePointer?
        sqlite3_open(":memory:", &database)
        defer { sqlite3_close(database) }
        sqlite3_exec(database, "CREATE TABLE t(a, b, c)", nil, nil, nil)
        var accepted = 0
        for _ in 0..<40_000 {
            let separator = Bool.random(using: &generator) ? " " : ""
            let count = Int.random(in: 1...8, using: &generator)
            let sql = (0..<count).map { _ in generator.pick(Self.pieces) }
                .joined(separator: separator)
            guard let (end, parameters) = prepared(sql, database) else { continue }
            accepted += 1
            var (statement, tokens, ownEnd) = (StatementEnd(), [Token](), sql.utf8.count)
            for token in SQLTokenizer(sql) {
                tokens.append(token)
                // SQLite skips semicolons before a statement.
                let isEmpty = statement.isAtStart
                if statement.add(token), !isEmpty {
                    ownEnd = token.range.upperBound
                    break
                }
            }
            let rest = sql.utf8.dropFirst(min(end, ownEnd)).prefix(abs(end - ownEnd))
            #expect(
                SQLTokenizer(String(decoding: rest, as: UTF8.self)).allSatisfy { $0.isBlank }, "\(sql.debugDescription)"
            )
            #expect(parameters == self.parameters(of: tokens), "\(sql.debugDescription)")
        }
        #expect(accepted > 1_500, "seed \(Self.seed)")
    }

    @Test func keywordsAreNamesAndAliasesAsInSQLite() throws {
        var database: OpaquePointer?
        sqlite3_open(":memory:", &database)
        defer { sqlite3_close(database) }
        for index in 0..<sqlite3_keyword_count() {
            var (text, length) = (UnsafePointer<CChar>?.none, Int32(0))
            sqlite3_keyword_name(index, &text, &length)
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
            let word = String(decoding: bytes, as: UTF8.self)
            let token = SQLTokenizer.tokens(of: word)[0]
            #expect(
                (prepared("SELECT x AS \(word) FROM (SELECT 1 AS x)", database) != nil) == token.canBeName, "\(word)")
            #expect((prepared("SELECT x FROM (SELECT 1 AS x) \(word)", database) != nil) == token.canBeAlias, "\(word)")
        }
    }

    /// The text of the token that SQLite does not recognize, and nothing else, is one that has no end or is no token.
    @Test func tokensThatSQLiteRefusesAreFound() throws {
        var database: OpaquePointer?
        sqlite3_open(":memory:", &database)
        defer { sqlite3_close(database) }
        for token in ["'a", "\"a b", "`a", "12ab", "1e", "0xg", "1e5x", "\\"] {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(database, "SELECT \(token)", -1, &statement, nil)
            let message = String(cString: sqlite3_errmsg(database))
            #expect(message == "unrecognized token: \"\(token)\"")
            #expect(SQLTokenizer.tokens(of: "SELECT \(token)").map(\.source) == ["SELECT", token])
        }
    }
}
