import SquallSQLite
import Foundation
import GRDB
import Squall
import SquallSearch

// A tokenizer that indexes 10 MB of text, on the C side FTS5's own `unicode61`; and the ranks of the rows that a search finds, on
// the C side FTS5's own `bm25`. The text is ASCII, so that all tokenizers find the same words.

extension Benchmark {
    static let searches = [
        indexing("tokenizer", toC: 1.5, "words"),
        indexing("tokenizer-cjk", isVariant: true, "cjk"),
        Benchmark(name: "ranking", toC: 1.2) { fixtures in
            let path = try fixtures.texts()
            let c = try CDatabase(path)
            let statement = try c.prepare(rank("bm25"))
            let squall = try Connection.toRead(path)
            try squall.addRankingFunction("ranked") { $0.bm25() }
            return [
                .c: Cell { try statement.oneInteger() },
                .squall: Cell { () -> Int in try squall.query("\(raw: rank("ranked"))") },
                // GRDB has no functions of FTS5.
                .grdb: Cell { try statement.oneInteger() },
            ]
        },
    ]

    /// Indexes 10 MB of text, in Squall with a tokenizer of this name.
    private static func indexing(
        _ name: String, toC: Double? = nil, isVariant: Bool = false, _ tokenizer: String
    ) -> Benchmark {
        Benchmark(name: name, toC: toC, isVariant: isVariant) { fixtures in
            let path = try fixtures.texts()
            let c = try CDatabase(path)
            try c.execute("PRAGMA temp_store = MEMORY")
            let squall = try Connection.toWrite(path)
            try squall.execute("PRAGMA temp_store = MEMORY")
            try squall.addCJKTokenizer()
            try squall.addTokenizer("words") { text, _, emit in
                var word: [UInt8] = []
                var start = 0
                for index in 0...text.count {
                    let byte = index < text.count ? text[index].lowercasedWordByte : 0
                    if byte != 0 {
                        if word.isEmpty { start = index }
                        word.append(byte)
                    } else if !word.isEmpty {
                        try emit(word.span, start..<index)
                        word.removeAll(keepingCapacity: true)
                    }
                }
            }
            let grdb = try DatabaseQueue.toWrite(path)
            try grdb.inDatabase {
                $0.add(tokenizer: Words.self)
                try $0.execute(sql: "PRAGMA temp_store = MEMORY")
            }
            return [
                .c: Cell(
                    before: { try c.execute(create("unicode61")) }, work: { try c.execute(fill) },
                    check: { _, _ in
                        defer { try? c.execute(drop) }
                        return Checksum(try c.prepare(count).oneInteger())
                    }),
                .squall: Cell(
                    before: { try squall.execute("\(raw: create(tokenizer))") },
                    work: { try squall.execute("\(raw: fill)") },
                    check: { _, _ in
                        let number: Int = try squall.query("\(raw: count)")
                        try squall.execute("\(raw: drop)")
                        return Checksum(number)
                    }),
                .grdb: Cell(
                    before: { try grdb.inDatabase { try $0.execute(sql: create("words")) } },
                    work: { try grdb.inDatabase { try $0.execute(sql: fill) } },
                    check: { _, _ in
                        try grdb.inDatabase {
                            let number = try Int.fetchOne($0, sql: count) ?? 0
                            try $0.execute(sql: drop)
                            return Checksum(number)
                        }
                    }),
            ]
        }
    }

    private static func create(_ tokenizer: String) -> String {
        "CREATE VIRTUAL TABLE temp.found USING fts5(body, content = '', tokenize = '\(tokenizer)')"
    }

    private static let fill = "INSERT INTO temp.found(rowid, body) SELECT rowid, body FROM texts"
    private static let count = "SELECT count(*) FROM temp.found WHERE found MATCH 'swift1 OR sq2'"
    private static let drop = "DROP TABLE temp.found"

    private static func rank(_ function: String) -> String {
        "SELECT count(*) FROM searched WHERE searched MATCH 's1 OR w2 OR i1 OR t0 OR swift1 OR squ2' AND \(function)(searched) < -0.000001"
    }
}

extension CStatement {
    fileprivate func oneInteger() throws -> Int {
        var result = 0
        try forEachRow { result = integer(0) }
        return result
    }
}

extension UInt8 {
    /// The byte of a word in lower case; 0 for others.
    @inline(__always)
    fileprivate var lowercasedWordByte: UInt8 {
        switch self {
        case 48...57, 97...122, 128...: self
        case 65...90: self | 32
        default: 0
        }
    }
}

private final class Words: FTS5CustomTokenizer {
    static let name = "words"

    init(db: GRDB.Database, arguments: [String]) throws {}

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: CInt,
        tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        guard let pText else { return SQLITE_OK }
        var word: [UInt8] = []
        var start = 0
        for index in 0...Int(nText) {
            let byte = index < Int(nText) ? UInt8(bitPattern: pText[index]).lowercasedWordByte : 0
            if byte != 0 {
                if word.isEmpty { start = index }
                word.append(byte)
            } else if !word.isEmpty {
                let code = word.withUnsafeBytes {
                    let token = $0.assumingMemoryBound(to: CChar.self)
                    return tokenCallback(context, 0, token.baseAddress, CInt(token.count), CInt(start), CInt(index))
                }
                if code != SQLITE_OK { return code }
                word.removeAll(keepingCapacity: true)
            }
        }
        return SQLITE_OK
    }
}

extension Fixtures {
    /// 5,000 rows of 300 words, 10 MB, and their index.
    fileprivate func texts() throws -> String {
        try file(
            "texts",
            script: """
                CREATE TABLE texts(body TEXT);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(5_000)))
                INSERT INTO texts SELECT (
                    SELECT group_concat(
                        printf('%s%d', substr('Swift squall The Of', k % 11 + 1, k % 7 + 1),
                            (n * 31 + k * k * 7) % (k % 9 * 400 + 3)), ' ')
                    FROM (SELECT n AS k FROM numbers LIMIT 300)) FROM numbers;
                CREATE VIRTUAL TABLE searched USING fts5(body);
                INSERT INTO searched SELECT body FROM texts
                """
        )
    }
}
