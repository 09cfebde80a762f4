import Foundation
import Squall
import SquallTestSupport
import Testing

/// Orders of text whose closures receive the bytes of the texts.
struct ByteCollationTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE t(a TEXT)")
    }

    /// Inserts texts with exactly these bytes.
    private func insert(_ texts: [[UInt8]]) throws {
        for text in texts { try connection.run("INSERT INTO t VALUES(CAST(? AS TEXT))", Data(text)) }
    }

    private func sorted(by collation: String) throws -> [[UInt8]] {
        let texts: [Data] = try connection.query("SELECT CAST(a AS BLOB) FROM t ORDER BY a COLLATE \(name: collation)")
        return texts.map { Array($0) }
    }

    private static func order(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> ComparisonResult {
        for index in 0..<min(lhs.count, rhs.count) where lhs[index] != rhs[index] {
            return lhs[index] < rhs[index] ? .orderedAscending : .orderedDescending
        }
        return lhs.count == rhs.count ? .orderedSame : lhs.count < rhs.count ? .orderedAscending : .orderedDescending
    }

    private static func reversed(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> ComparisonResult { order(rhs, lhs) }

    private static let texts: [[UInt8]] = [
        [], [0], [0x61, 0, 0x62], [0xff], [0x61, 0xc3], Array("é".utf8), Array(repeating: 0x78, count: 100_000),
    ]

    @Test(arguments: texts)
    func theClosureReceivesTheBytesOfTheTexts(text: [UInt8]) throws {
        var received: [[UInt8]] = []
        try connection.addCollation("bytes") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            received = [lhs.indices.map { lhs[$0] }, rhs.indices.map { rhs[$0] }]
            return .orderedAscending
        }
        let isLess: Bool = try connection.query(
            "SELECT CAST(? AS TEXT) < CAST(? AS TEXT) COLLATE bytes", Data(text), Data([0x7a] + text))
        #expect(isLess)
        #expect(received == [text, [0x7a] + text])
    }

    @Test func textsAreSortedAsTheClosureComparesThem() throws {
        let seed = TestSeed.of()
        var random = seed.generator()
        let bytes: [UInt8] = [0, 0x20, 0x61, 0x62, 0xc3, 0xa9, 0xff]
        let texts: [[UInt8]] = (0..<500).map { _ in
            let prefix = [UInt8](repeating: 0x61, count: [0, 14, 15, 40, 5000].randomElement(using: &random) ?? 0)
            let count = Int.random(in: 0...4, using: &random)
            return prefix + (0..<count).map { _ in bytes.randomElement(using: &random) ?? 0 }
        }
        try insert(texts)
        try connection.addCollation("bytes", Self.order)
        try connection.addCollation("reversed", Self.reversed)
        let expected = texts.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(try sorted(by: "bytes") == expected, "seed \(seed)")
        #expect(try sorted(by: "reversed") == expected.reversed(), "seed \(seed)")
    }

    @Test func indexesUseTheOrder() throws {
        // ASCII letters without case; every other byte counts.
        try connection.addCollation("ascii") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
            for index in 0..<min(lhs.count, rhs.count) where folded(lhs[index]) != folded(rhs[index]) {
                return folded(lhs[index]) < folded(rhs[index]) ? .orderedAscending : .orderedDescending
            }
            if lhs.count == rhs.count { return .orderedSame }
            return lhs.count < rhs.count ? .orderedAscending : .orderedDescending
        }
        try connection.execute("CREATE TABLE names(name TEXT COLLATE ascii UNIQUE)")
        for name in ["Ada", "bea", "Ä", "a\0b"] { try connection.run("INSERT INTO names VALUES(?)", name) }
        #expect(try connection.query("SELECT name FROM names WHERE name = 'ADA'") == "Ada")
        #expect(try connection.query("SELECT name FROM names WHERE name = ?", "A\0B") == "a\0b")
        #expect(try connection.query("SELECT name FROM names WHERE name = 'ä'") == nil as String?)
        let error = try sqliteError { try connection.run("INSERT INTO names VALUES('BEA')") }
        #expect(error.extendedResultCode == .constraintUnique)
        #expect(try connection.query("PRAGMA integrity_check") == "ok")
    }

    @Test func bytesAreUTF8InADatabaseInUTF16() throws {
        let connection = try Connection(":memory:")
        try connection.execute("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(a)")
        try connection.addCollation("reversed", Self.reversed)
        for text in ["a", "ü", "z", "\u{1F600}"] { try connection.run("INSERT INTO t VALUES(?)", text) }
        #expect(try connection.query("SELECT a FROM t ORDER BY a COLLATE reversed") == ["\u{1F600}", "ü", "z", "a"])
    }

    @Test func theClosureCannotUseTheConnection() throws {
        try insert([[0x61], [0x62]])
        let kept = try connection.prepare("SELECT 1")
        var errors: [SQLiteError] = []
        try connection.addCollation("busy") { [unowned connection, unowned kept] (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            let uses: [() throws -> Void] = [
                { try connection.run("DELETE FROM t") }, { try kept.step() },
                { try connection.removeCollation(named: "busy") },
            ]
            for use in uses {
                do { try use() } catch { if let error = error as? SQLiteError { errors.append(error) } }
            }
            return Self.order(lhs, rhs)
        }
        #expect(try sorted(by: "busy") == [[0x61], [0x62]])
        #expect(errors.count == 3)
        for error in errors {
            #expect(error.resultCode == .misuse)
            #expect(error.message == "a collation cannot use its own connection")
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }

    @Test func anotherConnectionCanBeUsed() throws {
        let other = try Connection(":memory:")
        try connection.addCollation("ranked") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            let isLess: Bool? = try? other.query("SELECT ? < ?", Int(lhs[0]) % 3, Int(rhs[0]) % 3)
            return isLess ?? false ? .orderedAscending : .orderedDescending
        }
        try insert([[0x61], [0x62], [0x63]])
        #expect(try sorted(by: "ranked") == [[0x63], [0x61], [0x62]])
    }

    @Test func aCollationThatClosesItsConnectionEndsItsStatement() throws {
        try connection.addCollation("closing") { [unowned connection] (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            connection.close()
            return Self.order(lhs, rhs)
        }
        try insert((0..<50).map { [$0] })
        let error = try sqliteError { _ = try sorted(by: "closing") }
        #expect(error.message == "the connection is closed")
        #expect(connection.isClosed)
    }

    @Test func aCollationIsReplacedByOneOfAnotherForm() throws {
        try insert([[0x61], [0x62]])
        try connection.addCollation("c", Self.reversed)
        #expect(try sorted(by: "c") == [[0x62], [0x61]])
        try connection.addCollation("c") { $0.compare($1) }
        #expect(try sorted(by: "c") == [[0x61], [0x62]])
        try connection.addCollation("c", Self.reversed)
        #expect(try sorted(by: "c") == [[0x62], [0x61]])
        try connection.removeCollation(named: "c")
        #expect(throws: SQLiteError.self) { try sorted(by: "c") }
    }

    @Test func theClosureIsReleasedWithItsConnection() throws {
        weak var kept: Kept?
        do {
            let connection = try Connection(":memory:")
            let object = Kept()
            kept = object
            try connection.addCollation("c") { [object] (lhs: Span<UInt8>, rhs: Span<UInt8>) in
                object.number == 1 ? Self.order(lhs, rhs) : .orderedSame
            }
            #expect(try connection.query("SELECT 'a' < 'b' COLLATE c") == 1)
        }
        #expect(kept == nil)
    }

    /// Closures without types receive `String`s, also where they would compile with bytes.
    @Test func closuresWithoutTypesReceiveStrings() throws {
        try connection.addCollation("by_count") {
            $0.count < $1.count ? .orderedAscending : $0.count == $1.count ? .orderedSame : .orderedDescending
        }
        #expect(try connection.query("SELECT 'é' = 'e' COLLATE by_count") == 1)
        try connection.addCollation("by_count") { lhs, rhs in
            let (left, right) = (lhs.count, rhs.count)
            return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        }
        #expect(try connection.query("SELECT 'é' = 'e' COLLATE by_count") == 1)
        try connection.addCollation("same") { _, _ in .orderedSame }
        #expect(try connection.query("SELECT 'é' = 'e' COLLATE same") == 1)
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private static func canonical(_ lhs: UTF8Span, _ rhs: UTF8Span) -> ComparisonResult {
        lhs.isCanonicallyEquivalent(to: rhs)
            ? .orderedSame : lhs.isCanonicallyLessThan(rhs) ? .orderedAscending : .orderedDescending
    }

    @Test func validatedBytesAreComparedAsCharacters() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        try connection.addCollation("canonical", Self.canonical)
        #expect(try connection.query("SELECT ? = ? COLLATE canonical", "caf\u{e9}", "cafe\u{301}") == 1)
        #expect(try connection.query("SELECT ? = ? COLLATE canonical", "cafe", "cafe\u{301}") == 0)
        try insert([[0x63], [0xff], [0x61, 0xfe], [], [0x62, 0, 0x61], [0x62]])
        #expect(try sorted(by: "canonical") == [[], [0x62], [0x62, 0, 0x61], [0x63], [0x61, 0xfe], [0xff]])
    }

    @Test func theClosureOfValidatedBytesCannotUseTheConnection() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        var message = ""
        try connection.addCollation("busy") { [unowned connection] (lhs: UTF8Span, rhs: UTF8Span) in
            do { try connection.run("SELECT 1") } catch { message = "\(error)" }
            return Self.canonical(lhs, rhs)
        }
        #expect(try connection.query("SELECT 'a' < 'b' COLLATE busy") == 1)
        #expect(message.contains("a collation cannot use its own connection"))
    }
}
