import Foundation
import Squall
import SquallTestSupport
import Testing

/// Every type with a form of its own in a decoding container: as a property, as an optional property, and as the only value.
struct DecodedNumbersTests {
    private struct Numbers: Decodable, Equatable {
        let bool: Bool, text: String, double: Double, float: Float
        let int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
        let uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    }

    private struct OptionalNumbers: Decodable, Equatable {
        let bool: Bool?, text: String?, double: Double?, float: Float?
        let int: Int?, int8: Int8?, int16: Int16?, int32: Int32?, int64: Int64?
        let uint: UInt?, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?
    }

    private let connection: Connection
    private let columns: SQL = """
        1 AS bool, 'a' AS text, 1.5 AS double, 2.5 AS float, -1 AS int, -128 AS int8, 32767 AS int16, -70000 AS int32, \
        9223372036854775807 AS int64, 1 AS uint, 255 AS uint8, 65535 AS uint16, 4294967295 AS uint32, 7 AS uint64
        """

    init() throws { connection = try Connection() }

    @Test func properties() throws {
        let numbers: Numbers = try connection.query("SELECT \(columns)")
        let expected = Numbers(
            bool: true, text: "a", double: 1.5, float: 2.5, int: -1, int8: -128, int16: 32_767, int32: -70_000,
            int64: .max,
            uint: 1, uint8: 255, uint16: 65_535, uint32: .max, uint64: 7)
        #expect(numbers == expected)
    }

    @Test func optionalProperties() throws {
        let numbers: OptionalNumbers = try connection.query("SELECT \(columns)")
        let expected = OptionalNumbers(
            bool: true, text: "a", double: 1.5, float: 2.5, int: -1, int8: -128, int16: 32_767, int32: -70_000,
            int64: .max,
            uint: 1, uint8: 255, uint16: 65_535, uint32: .max, uint64: 7)
        #expect(numbers == expected)
        let nulls: OptionalNumbers = try connection.query("SELECT NULL AS bool, NULL AS int, NULL AS uint64")
        let none = OptionalNumbers(
            bool: nil, text: nil, double: nil, float: nil, int: nil, int8: nil, int16: nil, int32: nil, int64: nil,
            uint: nil, uint8: nil, uint16: nil, uint32: nil, uint64: nil)
        #expect(nulls == none)
    }

    @Test(arguments: [
        ("int8", "128"), ("int16", "-32769"), ("int32", "2147483648"), ("int64", "9223372036854775808.0"),
        ("int", "'x'"),
        ("uint", "1.5"), ("uint8", "256"), ("uint16", "-1"), ("uint32", "4294967296"), ("uint64", "1.5"),
        ("float", "'x'"),
        ("double", "x'00'"), ("text", "x'00'"), ("bool", "'maybe'"),
    ])
    func aValueThatDoesNotFit(name: String, value: String) throws {
        let sql: SQL = "SELECT * FROM (SELECT \(raw: value) AS \(name: name))"
        let error = try conversionError { let _: OptionalNumbers = try connection.query(sql) }
        #expect(error.columnName == name)
    }

    /// A value in a column that decodes itself by one number.
    private struct Wrapped<Value: Decodable & Equatable>: Decodable, Equatable {
        let value: Value

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Value.self)
        }
    }

    private struct Box<Value: Decodable & Equatable>: Decodable {
        let value: Wrapped<Value>
    }

    private func expectWrapped<Value: Decodable & Equatable>(_ sql: SQL, _ value: Value) throws {
        let box: Box<Value> = try connection.query("SELECT \(sql) AS value")
        #expect(box.value.value == value)
        let whole: Wrapped<Value> = try connection.query("SELECT \(sql)")
        #expect(whole.value == value)
    }

    @Test func singleValues() throws {
        try expectWrapped("1", true)
        try expectWrapped("'a'", "a")
        try expectWrapped("1.5", 1.5)
        try expectWrapped("2.5", Float(2.5))
        try expectWrapped("-1", -1)
        try expectWrapped("-128", Int8.min)
        try expectWrapped("32767", Int16.max)
        try expectWrapped("-70000", Int32(-70_000))
        try expectWrapped("9223372036854775807", Int64.max)
        try expectWrapped("1", UInt(1))
        try expectWrapped("255", UInt8.max)
        try expectWrapped("65535", UInt16.max)
        try expectWrapped("4294967295", UInt32.max)
        try expectWrapped("7", UInt64(7))
        try expectWrapped("x'01'", Data([1]))
        try expectWrapped("'2001-01-01'", Date(timeIntervalSinceReferenceDate: 0))
    }
}
