import Foundation
import NIOCore
import Squall
import Testing

@testable import SquallCluster

@Suite struct RowFieldsTests {
    private func part(
        _ columns: [String], _ rows: [[WireValue]], _ marker: RowPart.Marker = .done
    ) throws -> RowPart {
        try RowPart(try ByteBuffer.rows(columns, rows, marker).message())
    }

    private func read(_ fields: RowFields, _ columns: [String]) throws -> [[BindingValue]] {
        try ReceivedRows().read(fields, columns: columns) { connection, sql in
            let rows: [Row] = try connection.query(sql)
            return try rows.map { row in try (0..<columns.count).map { try row.get($0) ?? .null } }
        }
    }

    @Test func eachTypeIsBoundAsItIs() throws {
        let rows: [[WireValue]] = [
            [.integer(.min), .real(-0.5), .text("é\u{301}🙂"), .blob(Data([0, 255])), .null],
            [.unixTime(5), .boolean(1), .iso8601(""), .blob(Data()), .text(String(repeating: "x", count: 100_000))],
        ]
        var part = try part(["a", "b", "c", "d", "e"], rows)
        let fields = RowFields(width: 5)
        try fields.append(&part, limit: .max)
        let expected = rows.map { $0.map(\.bindingValue) }
        #expect(try read(fields, ["a", "b", "c", "d", "e"]) == expected)
        #expect((0..<10).map { fields.bindingValue($0) } == expected.flatMap { $0 })
    }

    @Test(arguments: 0..<100) func rowsOfSeveralPartsAreRead(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        let columns = (0..<random.number(1..<40)).map { "column \($0)" }
        let fields = RowFields(width: columns.count)
        var expected: [[BindingValue]] = []
        for _ in 0..<random.number(1..<4) {
            let rows = (0..<random.number(0..<20)).map { _ in columns.map { _ in random.value() } }
            var part = try part(columns, rows, .more)
            // Rows may be read by one form after the other.
            let first = min(random.number(0..<3), rows.count)
            for row in rows.prefix(first) { #expect(try part.next() == row.map(\.bindingValue)) }
            try fields.append(&part, limit: .max)
            #expect(part.isEmpty)
            expected += rows.dropFirst(first).map { $0.map(\.bindingValue) }
        }
        #expect(try read(fields, columns) == expected, "seed \(seed)")
    }

    @Test func aLimitLeavesTheRowsAfterIt() throws {
        var part = try part(["a"], [[.integer(1)], [.integer(2)], [.integer(3)]])
        let fields = RowFields(width: 1)
        try fields.append(&part, limit: 1)
        #expect(try read(fields, ["a"]) == [[.integer(1)]])
        #expect(try part.next() == [.integer(2)])
        try fields.append(&part, limit: 5)
        #expect(try read(fields, ["a"]) == [[.integer(1)], [.integer(3)]])
    }

    @Test func aTextThatIsNotUTF8IsReadAsInAFile() throws {
        // A row of one text with the bytes ff fe.
        let body = "0100000000000000 6100000000000000 0300000000000000 fffe000000000000 ffffffffffffffff"
        var part = try RowPart(Message(type: 7, schema: 0, body: ByteBuffer(hex: body)))
        let fields = RowFields(width: 1)
        try fields.append(&part, limit: .max)
        let file = try Connection()
        let error = #expect(throws: (any Error).self) {
            let _: String = try file.query("SELECT CAST(x'fffe' AS TEXT) AS a")
        }
        let received = #expect(throws: (any Error).self) {
            try ReceivedRows().read(fields, columns: ["a"]) { connection, sql in
                let _: String = try connection.query(sql)
            }
        }
        #expect(error.map { type(of: $0) == ConversionError.self } == true)
        #expect(received.map { type(of: $0) == ConversionError.self } == true)
        let bytes: Data = try ReceivedRows().read(fields, columns: ["a"]) { connection, sql in
            try connection.query("SELECT CAST(a AS BLOB) FROM (\(sql))")
        }
        #expect(bytes == Data([0xff, 0xfe]))
    }

    @Test func namesThatLookAlikeAreToldApart() throws {
        let received = ReceivedRows()
        for name in ["\u{e9}", "e\u{301}", "", "a\"b"] {
            var part = try part([name], [[.integer(1)]])
            let fields = RowFields(width: 1)
            try fields.append(&part, limit: .max)
            let names = try received.read(fields, columns: [name]) { connection, sql in
                try connection.prepare(sql).columnNames
            }
            #expect(names.map { Array($0.utf8) } == [Array(name.utf8)])
        }
    }

    @Test func aMalformedRowIsAnError() throws {
        let marker = "ffffffffffffffff"
        for (hex, error) in [
            ("0100000000000000 6100000000000000 0600000000000000 0100000000000000", WireError.unknownValueType(6)),
            ("0100000000000000 6100000000000000 0400000000000000 ffffffffffffff7f", .truncated(offset: 8)),
            ("0100000000000000 6100000000000000 0300000000000000 6161616161616161", .missingTerminator(offset: 8)),
        ] {
            var part = try RowPart(Message(type: 7, schema: 0, body: ByteBuffer(hex: hex + marker)))
            let fields = RowFields(width: 1)
            #expect(throws: error) { try fields.append(&part, limit: .max) }
        }
    }
}
