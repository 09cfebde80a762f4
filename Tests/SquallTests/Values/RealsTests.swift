import Foundation
import Squall
import SquallTestSupport
import Testing

struct RealsTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    @Test(arguments: [0.1, -0.0, 1e300, Double.leastNonzeroMagnitude, .infinity, -.infinity, .greatestFiniteMagnitude])
    func doublesComeBackBitForBit(value: Double) throws {
        let back: Double = try connection.query("SELECT ?", value)
        #expect(back.bitPattern == value.bitPattern)
    }

    @Test func nanIsRefused() throws {
        let error = try sqliteError { let _: Double? = try connection.query("SELECT ?", Double.nan) }
        #expect(error.resultCode == .mismatch)
        #expect(error.message == "NaN cannot be bound to parameter 1: SQLite would store NULL")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT \(Double.nan)") }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", Float.nan) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", BindingValue.real(.nan)) }
    }

    @Test func integersReadAsDoublesWhereTheyAreKept() throws {
        #expect(try connection.query("SELECT 1") == 1.0)
        let exact: Double = try connection.query("SELECT ?", Int64(1) << 53)
        #expect(exact == 9_007_199_254_740_992)
        let error = try conversionError { let _: Double = try connection.query("SELECT ?", Int64(1) << 53 + 1) }
        #expect(error.reason == .outOfRange)
    }

    @Test func textIsNoNumber() throws {
        let error = try conversionError { let _: Double = try connection.query("SELECT '1.5'") }
        #expect(error.reason == .storageClass)
        #expect(error.found == .text)
    }

    @Test func floatsComeBackAndRound() throws {
        for value in [Float(0.1), .greatestFiniteMagnitude, .infinity] {
            #expect(try connection.query("SELECT ?", value) == value)
        }
        let rounded: Float = try connection.query("SELECT 0.1")
        #expect(rounded == 0.1)
        let error = try conversionError { let _: Float = try connection.query("SELECT 1e300") }
        #expect(error.reason == .outOfRange)
    }

    @Test(arguments: [
        Decimal(1) / 3, Decimal(2) / 3, Decimal(1) / 7, Decimal(0.1) / 3, .pi, -.pi, 0, 1.5,
        Decimal(sign: .plus, exponent: 38, significand: 1), Decimal(sign: .plus, exponent: -38, significand: 1),
        Decimal(sign: .minus, exponent: 100, significand: 1), .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude,
    ])
    func everyDecimalThatIsWrittenIsRead(value: Decimal) throws {
        #expect(try connection.query("SELECT ?", value) == value)
    }

    @Test(
        arguments: [
            ("00001.50", "1.5"), ("+.5", "0.5"), ("1.5E-3", "0.0015"), ("-0.00", "0"), ("1e2", "100"), ("7.", nil),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
            ("340282366920938463463374607431768211456", nil), ("1e300", nil), ("1e-300", nil), ("1e", nil),
            ("1e99999999999999999999", nil), ("٣", nil),
        ] as [(String, String?)])
    func decimalsAreReadWhereTheyAreKeptExactly(text: String, value: String?) throws {
        guard let value else {
            #expect(try conversionError { let _: Decimal = try connection.query("SELECT ?", text) }.found == .text)
            return
        }
        let read: Decimal = try connection.query("SELECT ?", text)
        #expect(read.description == value)
    }

    @Test(arguments: ["0", "-0.5", "12345678901234567890.123456789", "99999999999999999999999999999999999999"])
    func decimalsAreExactText(text: String) throws {
        let value = try #require(Decimal(string: text))
        #expect(try connection.query("SELECT ?", value) == text)
        #expect(try connection.query("SELECT ?", value) == value)
    }

    @Test func decimalsReadNumbers() throws {
        #expect(try connection.query("SELECT 12") == Decimal(12))
        #expect(try connection.query("SELECT 0.1") == Decimal(string: "0.1"))
        #expect(try connection.query("SELECT '1e3'") == Decimal(1000))
    }

    @Test(arguments: ["12abc", "", ".", "1.2.3", "-", "nan", "1,5", "1234567890123456789012345678901234567891"])
    func textThatIsNoDecimalIsRefused(text: String) throws {
        let error = try conversionError { let _: Decimal = try connection.query("SELECT ?", text) }
        #expect(error.reason == .unacceptable)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", Decimal.nan) }
    }
}
