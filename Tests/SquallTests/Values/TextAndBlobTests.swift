import Foundation
import SquallTestSupport
import Testing

@testable import Squall

struct TextAndBlobTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    @Test func asciiIsToldByTheBytesOfATextAlone() {
        for count in 0..<40 {
            var bytes = [UInt8](repeating: 0x61, count: count) + [UInt8](repeating: 0xff, count: 40)
            bytes.withUnsafeBufferPointer { #expect(UnsafeBufferPointer(rebasing: $0[..<count]).isASCII) }
            for index in 0..<count {
                bytes[index] = 0x80
                bytes.withUnsafeBufferPointer { #expect(!UnsafeBufferPointer(rebasing: $0[..<count]).isASCII) }
                bytes[index] = 0x61
            }
        }
    }

    @Test(arguments: ["", "a", "ab\0cd", "\0", "日本語 👩‍👩‍👧", String(repeating: "x", count: 100_000)])
    func textComesBackWithAllItsBytes(text: String) throws {
        #expect(try connection.query("SELECT ?", text) == text)
        #expect(try connection.query("SELECT \(text)") == text)
        let bytes: Data = try connection.query("SELECT CAST(? AS BLOB)", text)
        #expect(bytes == Data(text.utf8))
        let named: String? = try connection.query("SELECT :t", [":t": text])
        #expect(named == text)
    }

    @Test func bridgedAndSlicedStringsAreBound() throws {
        let bridged = NSString(string: "häß") as String
        #expect(try connection.query("SELECT ?", bridged) == "häß")
        let slice = String("--abc--".dropFirst(2).dropLast(2))
        #expect(try connection.query("SELECT ?", slice) == "abc")
    }

    @Test func invalidUTF8IsATypedErrorWithTheBytes() throws {
        let bytes = Data([0x61, 0xFF, 0xC3, 0x28])
        let sql: SQL = "SELECT CAST(\(bytes) AS TEXT) AS t"
        let error = try conversionError { let _: String = try connection.query(sql) }
        #expect(error.reason == .invalidUTF8)
        #expect(error.value == .malformedText(bytes))
        #expect(error.columnName == "t")
        #expect(
            error.description
                == "column 0 \"t\": expected String, found TEXT that is not valid UTF-8 in: SELECT CAST(? AS TEXT) AS t"
        )
        #expect(throws: ConversionError.self) { let _: String? = try connection.query(sql) }
        #expect(throws: ConversionError.self) { let _: [String] = try connection.query(sql) }

        let row = try #require(try connection.query(sql) as Row?)
        let text: String? = row[0]
        #expect(text == nil)
        #expect(try row.get(0) == bytes)
        #expect(row.value(at: 0) as? Data == bytes)
        #expect(row.columns[0].dataType == .text)
        #expect(try connection.query(sql) == bytes)
        #expect(try connection.query("SELECT typeof(t) FROM (\(sql))") == "text")
    }

    @Test(
        arguments: [[0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]]
    )
    func everyKindOfInvalidUTF8IsRefused(bytes: [UInt8]) throws {
        let error = try conversionError { let _: String = try connection.query("SELECT CAST(? AS TEXT)", bytes) }
        #expect(error.reason == .invalidUTF8)
    }

    @Test func validTextIsNoBlobAndABlobIsNoText() throws {
        #expect(try conversionError { let _: Data = try connection.query("SELECT 'a'") }.reason == .storageClass)
        #expect(try conversionError { let _: String = try connection.query("SELECT x'61'") }.reason == .storageClass)
        #expect(try conversionError { let _: String = try connection.query("SELECT 1") }.reason == .storageClass)
        #expect(try conversionError { let _: String = try connection.query("SELECT 1.5") }.reason == .storageClass)
        #expect(try conversionError { let _: Data = try connection.query("SELECT 1") }.reason == .storageClass)
    }

    @Test func emptyBlobIsNotNull() throws {
        #expect(try connection.query("SELECT typeof(?)", Data()) == "blob")
        #expect(try connection.query("SELECT typeof(?)", [UInt8]()) == "blob")
        #expect(try connection.query("SELECT typeof(\(Data()))") == "blob")
        let back: Data? = try connection.query("SELECT ?", Data())
        #expect(back == Data())
        let row = try #require(try connection.query("SELECT x'', NULL") as Row?)
        #expect(row.values[0] as? Data == Data())
        #expect(row.values[1] == nil)
        let text: String? = try connection.query("SELECT ''")
        #expect(text == "")
    }

    @Test func bytesAreOneParameterAndComeBack() throws {
        let bytes: [UInt8] = [0, 1, 254, 255]
        let row = try #require(try connection.query("SELECT ? AS b", bytes) as Row?)
        #expect(try row.get("b") == bytes)
        #expect(row["b"] as Data == Data(bytes))
        #expect(row.description == "[b: 4 bytes]")
    }

    @Test func slicesOfDataAreBound() throws {
        let slice = Data([1, 2, 3, 4])[1...2]
        #expect(try connection.query("SELECT hex(?)", slice) == "0203")
    }

    @Test func valuesOverTheLengthLimitAreRefused() throws {
        var configuration = Configuration.sqlite
        configuration.limits[.length] = 1000
        let connection = try Connection(":memory:", configuration: configuration)
        let large = String(repeating: "x", count: 1001)
        #expect(try sqliteError { try connection.run("SELECT ?", large) }.resultCode == .tooBig)
        #expect(try sqliteError { try connection.run("SELECT ?", Data(count: 1001)) }.resultCode == .tooBig)
        let longest = String(large.dropLast())
        #expect(try connection.query("SELECT length(?)", longest) == 1000)
    }

    @Test func urlsAndUUIDs() throws {
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        #expect(try connection.query("SELECT ?", url) == url)
        #expect(try conversionError { let _: URL = try connection.query("SELECT ''") }.reason == .unacceptable)

        let uuid = UUID()
        #expect(try connection.query("SELECT ?", uuid) == uuid)
        #expect(try connection.query("SELECT \(uuid)") == uuid)
        #expect(try connection.query("SELECT typeof(?) || length(?1)", uuid) == "blob16")
        #expect(try connection.query("SELECT ?", uuid.uuidString) == uuid)
        #expect(try conversionError { let _: UUID = try connection.query("SELECT x'00'") }.reason == .unacceptable)
    }

    @Test func nullsToBind() throws {
        #expect(try connection.query("SELECT typeof(?)", nil) == "null")
        #expect(try connection.query("SELECT typeof(\(nil as Int?))") == "null")
        #expect(try connection.query("SELECT typeof(?)", BindingValue.null) == "null")
    }
}
