import Foundation
import Squall
import SquallTestSupport
import Testing

struct RowSpanTests {
    private static func rows() throws -> Connection {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, text, bytes);
            INSERT INTO t VALUES(1, 'Ää' || char(0) || 'x', x'00ff00'), (2, '', x''), (3, NULL, NULL),
                (4, CAST(x'ff61' AS TEXT), 'text'), (5, 5, 5.5);
            """)
        return connection
    }

    @Test func textsAndBytesInALoop() throws {
        let connection = try Self.rows()
        var texts: [[UInt8]] = [], bytes: [[UInt8]] = []
        try connection.forEach("SELECT text, bytes FROM t WHERE id < 3 ORDER BY id") { row in
            try row.withUTF8("text") { (text: Span<UInt8>) in texts.append(text.withUnsafeBufferPointer(Array.init)) }
            try row.withBytes("bytes") { (span: RawSpan) in bytes.append(span.withUnsafeBytes(Array.init)) }
        }
        #expect(texts == [Array("Ää\0x".utf8), []] && bytes == [[0, 255, 0], []])
    }

    @Test func whatDoesNotFit() throws {
        let connection = try Self.rows()
        for (id, column) in [(3, "text"), (4, "text"), (5, "text"), (1, "bytes"), (1, "nothing")] {
            try connection.forEach("SELECT id, text, bytes FROM t WHERE id = \(id)") { (row: Row) in
                let error = try conversionError { try row.withUTF8(column) { (_: Span<UInt8>) in } }
                #expect(error.columnName == column && error.expected == "String")
            }
        }
        for (id, column) in [(3, "bytes"), (4, "bytes"), (5, "bytes"), (1, "text"), (1, "id")] {
            try connection.forEach("SELECT id, text, bytes FROM t WHERE id = \(id)") { (row: Row) in
                #expect(throws: ConversionError.self) { try row.withBytes(column) { _ in } }
            }
        }
        try connection.forEach("SELECT text, bytes FROM t WHERE id = 3") { row in
            let (text, bytes) = (
                try row.withUTF8IfPresent("text") { (text: Span<UInt8>) in text.count },
                try row.withBytesIfPresent(1) { $0.byteCount }
            )
            #expect(text == nil && bytes == nil)
            #expect(throws: ConversionError.self) { try row.withBytesIfPresent(2) { $0.byteCount } }
            #expect(throws: ConversionError.self) { try row.withBytes(-1) { $0.byteCount } }
            let missing = try conversionError { _ = try row.withUTF8IfPresent(2) { (text: Span<UInt8>) in text.count } }
            #expect(missing.expected == "String" && missing.columnIndex == 2)
        }
        // As `Data` does, bytes read TEXT that is not valid UTF-8.
        try connection.forEach("SELECT text FROM t WHERE id = 4") { row in
            let count = try row.withBytes(0) { $0.byteCount }
            #expect(count == 2)
        }
    }

    /// ASCII is checked eight bytes at a time.
    @Test func invalidUTF8AtEachPosition() throws {
        let connection = try Connection()
        for count in 1...34 {
            for position in 0..<count {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                bytes[position] = 0xff
                try connection.forEach("SELECT CAST(\(Data(bytes)) AS TEXT)") { (row: Row) in
                    #expect(throws: ConversionError.self) { try row.withUTF8(0) { (_: Span<UInt8>) in } }
                }
            }
            let text = String(repeating: "a", count: count - 1) + "ä"
            try connection.forEach("SELECT \(text)") { (row: Row) in
                let found = try row.withUTF8(0) { (text: Span<UInt8>) in text.count }
                #expect(found == count + 1)
            }
        }
    }

    @Test func charactersOfAText() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let connection = try Self.rows()
        try connection.forEach("SELECT text FROM t WHERE id = 1") { row in
            let text = try row.withUTF8("text") { (text: UTF8Span) in String(copying: text) }
            let isASCII = try row.withUTF8(0) { (text: UTF8Span) in text.isKnownASCII }
            #expect(text == "Ää\0x" && !isASCII)
        }
    }

    /// In a loop, the bytes stay where they are whatever the closure does.
    @Test func theClosureUsesTheConnection() throws {
        let connection = try Self.rows()
        try connection.run("UPDATE t SET bytes = zeroblob(100000) WHERE id = 1")
        var count = 0
        try? connection.forEach("SELECT bytes FROM t WHERE id <= 2 ORDER BY id") { row in
            try row.withBytes(0) { bytes in
                let before = bytes.byteCount
                try? connection.transaction {
                    try connection.run("DELETE FROM t")
                    throw CancellationError()
                }
                try connection.run("UPDATE t SET bytes = x'07' WHERE id = 1")
                connection.close()
                #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM t") }
                #expect(bytes.withUnsafeBytes { $0.allSatisfy { $0 == 0 } } && bytes.byteCount == before)
                count += 1
            }
        }
        #expect(count == 1)
    }

    @Test func rowsOutsideALoop() throws {
        let connection = try Self.rows()
        let row = try #require(try connection.query("SELECT text, bytes FROM t WHERE id = 1") as Row?)
        #expect(try row.withBytes(1) { $0.byteCount } == 3)
        var statement: Statement? = try connection.prepare("SELECT text FROM t WHERE id = 1")
        try statement?.step()
        let live = try #require(statement?.row)
        try live.withUTF8(0) { (text: Span<UInt8>) in
            try statement?.reset()
            statement = nil
            #expect(text.count == 6)
        }
    }

    @Test func utf16Databases() throws {
        let connection = try Connection()
        try connection.execute("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(a); INSERT INTO t VALUES('Äx')")
        try connection.forEach("SELECT a FROM t") { row in
            let count = try row.withUTF8(0) { (text: Span<UInt8>) in text.count }
            #expect(count == 3)
        }
    }
}
