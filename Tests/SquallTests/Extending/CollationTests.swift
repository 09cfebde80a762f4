import Foundation
import Squall
import SquallTestSupport
import Testing

/// Orders of text.
struct CollationTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private func sorted(_ texts: [String], by collation: String) throws -> [String] {
        try connection.execute("CREATE TEMP TABLE IF NOT EXISTS texts(text); DELETE FROM texts")
        for text in texts { try connection.run("INSERT INTO texts VALUES(?)", text) }
        return try connection.query("SELECT text FROM texts ORDER BY text COLLATE \(name: collation)")
    }

    @Test func textsAreSortedByACollation() throws {
        try connection.addCollation("NUMERIC") { lhs, rhs in
            return lhs.compare(rhs, options: .numeric, locale: .autoupdatingCurrent)
        }
        try connection.execute("CREATE TABLE test(text TEXT COLLATE 'NUMERIC' NOT NULL)")
        for text in ["string 1", "string 21", "string 12", "string 11", "string 02"] {
            try connection.run("INSERT INTO test(text) VALUES(?)", text)
        }
        let texts: [String] = try connection.query("SELECT * FROM test ORDER BY text")
        #expect(texts == ["string 1", "string 02", "string 11", "string 12", "string 21"])
    }

    @Test func collationsAreReplacedAndRemoved() throws {
        let equal: SQL = "SELECT 'e' = 'è' COLLATE plain"
        try connection.addCollation("plain") { $0.compare($1, options: .diacriticInsensitive) }
        #expect(try connection.query(equal) == 1)
        try connection.addCollation("plain") { $0.compare($1) }
        #expect(try connection.query(equal) == 0)
        try connection.removeCollation(named: "plain")
        let error = try sqliteError { try connection.run(equal) }
        #expect(error.message == "no such collation sequence: plain")
        #expect(error.hint?.hasPrefix("call addCollation") == true)
        try connection.removeCollation(named: "plain")
    }

    @Test func aReplacementThatFailsIsSaid() throws {
        try connection.addCollation("c") { $0.compare($1) }
        try connection.forEach("SELECT 1") { _ in
            let error = try sqliteError { try connection.addCollation("c") { $1.compare($0) } }
            #expect(error.resultCode == .busy)
            #expect(error.message == "unable to delete/modify collation sequence due to active statements")
            #expect(throws: SQLiteError.self) { try connection.removeCollation(named: "c") }
        }
        try connection.addCollation("c") { $1.compare($0) }
        #expect(try sorted(["a", "b"], by: "c") == ["b", "a"])
        #expect(try sqliteError { try connection.addCollation("a\0b") { $0.compare($1) } }.resultCode == .misuse)
    }

    @Test func textIsPassedWhole() throws {
        try connection.addCollation("by_length") { lhs, rhs in
            lhs.utf8.count < rhs.utf8.count ? .orderedAscending : .orderedDescending
        }
        #expect(try sorted(["a\0bcd", "xyz", "", "ü"], by: "by_length") == ["", "ü", "xyz", "a\0bcd"])
    }

    @Test func longTextsAreSortedAsTheClosureComparesThem() throws {
        let seed = TestSeed.of()
        var random = seed.generator()
        let texts = (0..<Rounds.of(600)).map { _ in
            let count = [0, 13, 14, 15, 16, 39, 65_535].randomElement(using: &random) ?? 0
            let end = ["", "a", "b", "\0", "é", "e\u{301}", "ab"].randomElement(using: &random) ?? ""
            return String(repeating: "x", count: count) + end
        }
        var kept: [String] = []
        try connection.addCollation("by_bytes") { lhs, rhs in
            if kept.count < 1000 { kept += [lhs, rhs] }
            return lhs.utf8.elementsEqual(rhs.utf8)
                ? .orderedSame : lhs.utf8.lexicographicallyPrecedes(rhs.utf8) ? .orderedAscending : .orderedDescending
        }
        let found = try sorted(texts, by: "by_bytes").map { Array($0.utf8) }
        #expect(found == texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
        let given = Set(texts.map { Array($0.utf8) })
        #expect(kept.allSatisfy { given.contains(Array($0.utf8)) }, "seed \(seed)")
    }

    @Test func aClosureKeepsItsTextsWhileItsQueriesCompareOthers() throws {
        func long(_ text: String) -> String { text + String(repeating: ".", count: 40) }
        try connection.addCollation("nested") { [unowned connection] lhs, rhs in
            if lhs.hasPrefix("inner") { return lhs.compare(rhs) }
            let inner: Bool? = try? connection.query("SELECT ? < ? COLLATE nested", long("inner b"), long("inner a"))
            return inner == false ? rhs.compare(lhs) : .orderedSame
        }
        let texts = ["c", "a", "d", "b"].map(long)
        #expect(try sorted(texts, by: "nested") == texts.sorted().reversed())
    }

    @Test func textThatIsNoUTF8ComesLastByItsBytes() throws {
        try connection.addCollation("backwards") { $1.compare($0) }
        try connection.execute(
            """
            CREATE TABLE t(a);
            INSERT INTO t VALUES('a'), (CAST(x'ff' AS TEXT)), ('c'), (CAST(x'61fe' AS TEXT)), ('b'), (CAST(x'ff' AS TEXT))
            """
        )
        let order: [String] = try connection.query("SELECT hex(a) FROM t ORDER BY a COLLATE backwards")
        #expect(order == ["63", "62", "61", "61FE", "FF", "FF"])
        #expect(try connection.query("SELECT count(DISTINCT a COLLATE backwards) FROM t") == 5)
    }

    @Test func databasesInUTF16HaveCollationsToo() throws {
        try connection.execute("PRAGMA encoding = 'UTF-16'")
        try connection.addCollation("backwards") { $1.compare($0) }
        #expect(try sorted(["a", "ü", "b"], by: "backwards") == ["ü", "b", "a"])
        try connection.addFunction("size") { (text: String) in text.utf8.count }
        #expect(try connection.query("SELECT size(?)", "aü") == 3)
        try connection.addCollation("backwards") { $0.compare($1) }
        #expect(try sorted(["a", "ü", "b"], by: "backwards") == ["a", "b", "ü"])
    }

    @Test func indexesUseACollation() throws {
        try connection.addCollation("folded") { $0.lowercased().compare($1.lowercased()) }
        try connection.execute("CREATE TABLE t(a TEXT COLLATE folded UNIQUE); INSERT INTO t VALUES('One'), ('two')")
        #expect(try connection.query("SELECT a FROM t WHERE a = 'TWO'") == "two")
        let error = try sqliteError { try connection.run("INSERT INTO t VALUES('ONE')") }
        #expect(error.extendedResultCode == .constraintUnique)
    }

    @Test func aCollationMayQueryItsConnection() throws {
        try connection.execute("CREATE TABLE ranks(name, rank); INSERT INTO ranks VALUES('a', 3), ('b', 1), ('c', 2)")
        try connection.addCollation("ranked") { [unowned connection] lhs, rhs in
            func rank(_ name: String) -> Int {
                (try? connection.query("SELECT rank FROM ranks WHERE name = ?", name)) ?? 0
            }
            return rank(lhs) < rank(rhs) ? .orderedAscending : .orderedDescending
        }
        #expect(try sorted(["a", "b", "c"], by: "ranked") == ["b", "c", "a"])
    }

    @Test func aCollationThatNeedsItselfEnds() throws {
        try connection.addCollation("endless") { [unowned connection] lhs, rhs in
            let isLess: Bool? = try? connection.query("SELECT ? < ? COLLATE endless", lhs, rhs)
            return isLess ?? false ? .orderedAscending : .orderedDescending
        }
        #expect(try sorted(["b", "a"], by: "endless") == ["a", "b"])
    }

    @Test func anInconsistentCollationOnlySortsWrongly() throws {
        var generator = TestSeed.of().generator()
        try connection.addCollation("random") { _, _ in
            ComparisonResult(rawValue: Int(generator.next() % 3) - 1) ?? .orderedSame
        }
        let texts = (0..<2000).map { "text \($0)" }
        #expect(try sorted(texts, by: "random").sorted() == texts.sorted())
        try connection.execute("CREATE TABLE t(a TEXT); CREATE INDEX i ON t(a COLLATE random)")
        for text in texts { try connection.run("INSERT INTO t VALUES(?)", text) }
        for text in texts.prefix(200) { try connection.run("DELETE FROM t WHERE a = ? COLLATE random", text) }
        try connection.execute("DROP INDEX i")
        #expect(try connection.query("PRAGMA integrity_check") == "ok")
    }

    @Test func aCollationThatClosesItsConnectionEndsItsStatement() throws {
        try connection.addCollation("closing") { [unowned connection] lhs, rhs in
            connection.close()
            return lhs.compare(rhs)
        }
        let connection = connection
        let texts = (0..<50).map { "('\($0)')" }.joined(separator: ",")
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES \(raw: texts)")
        let error = try sqliteError { try connection.run("SELECT a FROM t ORDER BY a COLLATE closing") }
        #expect(error.message == "the connection is closed")
        #expect(connection.isClosed)
    }

    @Test func aCollationGoesWithItsConnection() throws {
        weak var first: Kept?
        weak var second: Kept?
        do {
            let connection = try Connection(":memory:")
            let (one, two) = (Kept(), Kept())
            (first, second) = (one, two)
            try connection.addCollation("c") { [one] in one.number == 1 ? $0.compare($1) : .orderedSame }
            try connection.addCollation("c") { [two] in two.number == 1 ? $0.compare($1) : .orderedSame }
            #expect(try connection.query("SELECT 'a' < 'b' COLLATE c") == 1)
        }
        #expect(first == nil)
        #expect(second == nil)
    }

    @Test func aCollationThatIsReplacedOrRefusedGoes() throws {
        weak var first: Kept?
        weak var second: Kept?
        do {
            let (one, two) = (Kept(), Kept())
            (first, second) = (one, two)
            try connection.addCollation("c") { [one] in one.number == 1 ? $0.compare($1) : .orderedSame }
            try connection.addCollation("c") { $0.compare($1) }
            try connection.forEach("SELECT 1") { _ in
                try? connection.addCollation("c") { [two] in two.number == 1 ? $0.compare($1) : .orderedSame }
            }
        }
        #expect(first == nil)
        #expect(second == nil)
    }
}
