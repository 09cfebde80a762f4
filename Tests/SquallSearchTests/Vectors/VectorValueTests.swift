import Foundation
import Squall
import SquallSearch
import Testing

/// `[Float]` as a value: a BLOB of four bytes for each number.
struct VectorValueTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    @Test func aVectorIsABlobOfLittleEndianFloats() throws {
        let vector: [Float] = [1, -2.5, 0.1]
        let bytes: [UInt8]? = try connection.query("SELECT \(vector)")?.get(0)
        #expect(bytes == [0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0, 0xcd, 0xcc, 0xcc, 0x3d])
        let found: Row? = try connection.query("SELECT \(vector), NULL, x'', x'000000', '0000'")
        let row = try #require(found)
        #expect(try row.get(0) == vector)
        #expect(try row.get(1) as [Float]? == nil)
        #expect(try row.get(2) as [Float] == [])
        #expect(throws: ConversionError.self) { try row.get(3) as [Float] }
        #expect(throws: ConversionError.self) { try row.get(4) as [Float] }
        #expect(throws: ConversionError.self) { try row.get(1) as [Float] }
    }

    @Test func allBitPatternsSurvive() throws {
        let vector: [Float] = [.infinity, -.infinity, .nan, -0, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        try connection.execute("CREATE TABLE t(v)")
        try connection.run("INSERT INTO t VALUES(?)", vector)
        try connection.prepare("INSERT INTO t VALUES(?)").bind(vector).run()
        try connection.run("INSERT INTO t VALUES(:v)", [":v": vector])
        try connection.forEach("SELECT v FROM t") { row in
            let read: [Float] = try row.get(0)
            #expect(read.map(\.bitPattern) == vector.map(\.bitPattern))
        }
        #expect(try connection.query("SELECT count(*), typeof(v), length(v) FROM t")?.get(0) == 3)
    }

    /// SQLite's memory of a value in a row is not aligned.
    @Test func vectorsAtEveryAddressAreRead() throws {
        try connection.execute("CREATE TABLE t(a, v BLOB)")
        let vector = (0..<50).map { Float($0) / 3 }
        try connection.addVectorFunctions()
        for count in 0..<16 {
            try connection.run("INSERT INTO t VALUES(?, ?)", String(repeating: "x", count: count), vector)
        }
        try connection.forEach("SELECT v, vec_distance_l2(v, \(vector)) FROM t") { row in
            let (read, distance): ([Float], Double) = (try row.get(0), try row.get(1))
            #expect(read == vector && distance == 0)
        }
    }

    @Test func arraysOfNumbersInQueriesAreStillRowsAndLists() throws {
        let numbers: [Float] = try connection.query("SELECT 1.5 UNION ALL SELECT 2.5")
        #expect(numbers == [1.5, 2.5])
        let list: [Float] = try connection.query(
            "SELECT column1 FROM (VALUES(1), (2), (3)) WHERE column1 IN \(in: [1, 2])")
        #expect(list == [1, 2])
        let sum: Int = try connection.query("SELECT ? + ?", [1, 2])
        #expect(sum == 3)
    }

    @Test func anOptionalVectorOfARowIsNilForNull() throws {
        let one: [Float] = [1, 2]
        #expect(try connection.query("SELECT NULL UNION ALL SELECT \(one)") as [[Float]?] == [nil, one])
        #expect(try connection.query("SELECT NULL UNION ALL SELECT x'0102'") as [[UInt8]?] == [nil, [1, 2]])
        #expect(try connection.query("SELECT \(one)") as [[Float]] == [one])
        #expect(throws: ConversionError.self) { try connection.query("SELECT NULL") as [[Float]] }
        #expect(throws: ConversionError.self) { try connection.query("SELECT '[1,2]'") as [[Float]] }
        #expect(throws: ConversionError.self) { try connection.query("SELECT '[1,2]'") as [[Float]?] }
    }

    @Test func aVectorReadAsRowsOfNumbersIsAnErrorWithAHint() throws {
        let error = #expect(throws: ConversionError.self) {
            try connection.query("SELECT \([1, 2] as [Float])") as [Float]
        }
        #expect(error?.description.contains("a vector is read as [[Float]], or as [Float] in a tuple") == true)
    }

    private struct Model: Codable, Equatable {
        let id: Int
        let embedding: [Float]
    }

    @Test func aDecodableReadsABlobAndJSON() throws {
        let blob: [Model] = try connection.query("SELECT 1 AS id, \([1, 2] as [Float]) AS embedding")
        let json: [Model] = try connection.query("SELECT 1 AS id, '[1, 2]' AS embedding")
        #expect(blob == [Model(id: 1, embedding: [1, 2])])
        #expect(json == blob)
    }

    @Test func functionsTakeAndReturnVectors() throws {
        try connection.addFunction("scaled") { (vector: [Float], factor: Double) in vector.map { $0 * Float(factor) } }
        #expect(try connection.query("SELECT scaled(\([1, 2] as [Float]), 2)")?.get(0) == [2, 4] as [Float])
    }
}
