import Foundation
import Squall
import SquallTestSupport
import Testing

/// The bytes of the values that SQL gives to a virtual table, where SQLite has them.
struct ScanSpanTests {
    /// A table whose rows are the bytes of a text or a BLOB: `SELECT byte FROM bytes WHERE text = 'ab'`.
    private struct Bytes: TableSource {
        typealias Row = UInt8

        let columns = [
            VirtualColumn<UInt8>("byte") { Int($0) }, VirtualColumn("text", type: "TEXT") { _ in String?.none },
            VirtualColumn("data", type: "BLOB") { _ in Data?.none },
        ]

        func plan(_ query: PlanQuery) -> Plan {
            if let text = query.constraint("text", .equal) { return Plan(1, using: [text.consumed]) }
            if let data = query.constraint("data", .equal) { return Plan(2, using: [data.consumed]) }
            return Plan(3)
        }

        func rows(_ scan: borrowing Scan) throws -> [UInt8] {
            switch scan.plan {
            case 1: try scan.withUTF8(0) { (text: Span<UInt8>) in text.withUnsafeBufferPointer { Array($0) } }
            case 2: try scan.withBytes(0) { bytes in bytes.withUnsafeBytes { Array($0) } }
            default: try scan.withBytes(7) { _ in [] }
            }
        }
    }

    @Test func constraints() throws {
        let connection = try Connection()
        try connection.register(named: "bytes") { _ in Bytes() }
        #expect(try connection.query("SELECT byte FROM bytes WHERE text = 'a' || char(0) || 'b'") == [97, 0, 98])
        #expect(try connection.query("SELECT byte FROM bytes WHERE data = x'00ff'") == [0, 255])
        #expect(try (connection.query("SELECT byte FROM bytes WHERE text = ''") as [Int]).isEmpty)
        #expect(try (connection.query("SELECT byte FROM bytes WHERE data = x''") as [Int]).isEmpty)
        for (sql, code) in [
            ("WHERE text = x'61'", 20), ("WHERE text = NULL", 20), ("WHERE text = CAST(x'ff' AS TEXT)", 20),
            ("WHERE data = 'text'", 20), ("WHERE data = 5", 20), ("", 21),
        ] as [(SQL, Int32)] {
            #expect(try sqliteError { try connection.run("SELECT byte FROM bytes \(sql)") }.code == code, "\(sql)")
        }
    }

    /// Keeps the lengths of what is written.
    private final class Lengths: WritableTableSource {
        typealias Row = (Int64, Int)

        private var lengths: [Int64: Int] = [:]
        let columns = [VirtualColumn<Row>("text") { $0.1 }, VirtualColumn("data") { $0.1 }]

        func rows(_ scan: borrowing Scan) -> [Row] { lengths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

        func rowID(of row: Row) -> Int64? { row.0 }

        func insert(_ row: borrowing WrittenRow) throws -> Int64 {
            let id = Int64(lengths.count + 1)
            let text = try row.withUTF8(0) { (text: Span<UInt8>) in text.count }
            lengths[id] = try text + row.withBytes(1) { $0.byteCount }
            return id
        }

        func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws {}

        func delete(_ rowID: Int64) throws {}
    }

    @Test func writtenRows() throws {
        let connection = try Connection()
        try connection.register(named: "lengths") { _ in Lengths() }
        try connection.run("INSERT INTO lengths VALUES('ä' || char(0), x'0102'), ('', x'')")
        #expect(try connection.query("SELECT text FROM lengths") == [5, 0])
        for values in ["(NULL, x'')", "(x'61', x'')", "('', NULL)", "('', 'text')", "('', 1)"] as [SQL] {
            let error = try sqliteError { try connection.run("INSERT INTO lengths VALUES\(values)") }
            #expect(error.code == 20 && error.message.hasPrefix("lengths, "))
        }
    }
}
