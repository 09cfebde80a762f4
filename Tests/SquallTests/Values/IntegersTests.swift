import Foundation
import Squall
import SquallTestSupport
import Testing

struct IntegersTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    private func roundTrip<T: Binding & Equatable & FixedWidthInteger>(_ type: T.Type) throws {
        for value in [T.min, T.max, 0, 1] {
            let back: T = try connection.query("SELECT ?", value)
            #expect(back == value)
            let kind: String = try connection.query("SELECT typeof(?)", value)
            #expect(kind == "integer")
        }
    }

    /// As a custom type does whose stored form is such a number.
    @Test func fromTheStoredForm() {
        #expect(UInt64.fromBindingValue(Int64(-1)) == .max)
        #expect(UInt.fromBindingValue(Int64(7)) == 7)
        #expect(Bool.fromBindingValue(Int64(2)) == true)
        #expect(Bool.fromBindingValue(Int64(0)) == false)
        #expect(UInt64.fromBindingValue("7") == nil)
        #expect(UInt.fromBindingValue(7.0) == nil)
        #expect(Bool.fromBindingValue("true") == nil)
    }

    @Test func everyIntegerTypeComesBack() throws {
        try roundTrip(Int.self)
        try roundTrip(Int8.self)
        try roundTrip(Int16.self)
        try roundTrip(Int32.self)
        try roundTrip(Int64.self)
        try roundTrip(UInt.self)
        try roundTrip(UInt8.self)
        try roundTrip(UInt16.self)
        try roundTrip(UInt32.self)
        try roundTrip(UInt64.self)
    }

    private func refuses<T: Binding & FixedWidthInteger>(_ number: Int64, as type: T.Type) throws {
        let error = try conversionError { let _: T = try connection.query("SELECT ? AS n", number) }
        #expect(error.reason == .outOfRange)
        #expect(error.expected == "\(T.self)")
        #expect(error.value == .integer(number))
        #expect(
            error.description
                == "column 0 \"n\": expected \(T.self), found INTEGER \(number), which does not fit in: SELECT ? AS n")
        // The optional forms do not take it for NULL either.
        #expect(throws: ConversionError.self) { let _: T? = try connection.query("SELECT ?", number) }
        #expect(throws: ConversionError.self) { let _: [T] = try connection.query("SELECT ?", number) }
        #expect(throws: ConversionError.self) { let _: [T?] = try connection.query("SELECT ?", number) }
        let row = try #require(try connection.query("SELECT ?", number) as Row?)
        let byIndex: T? = row[0]
        #expect(byIndex == nil)
    }

    @Test func numbersOutOfRangeAreNoValues() throws {
        try refuses(128, as: Int8.self)
        try refuses(-129, as: Int8.self)
        try refuses(32_768, as: Int16.self)
        try refuses(1 << 31, as: Int32.self)
        try refuses(-1, as: UInt8.self)
        try refuses(256, as: UInt8.self)
        try refuses(65_536, as: UInt16.self)
        try refuses(1 << 32, as: UInt32.self)
        try refuses(-1, as: UInt32.self)
    }

    @Test func unsignedAbove63BitsKeepTheirBitPattern() throws {
        let stored: Int64 = try connection.query("SELECT ?", UInt64.max)
        #expect(stored == -1)
        let back: UInt = try connection.query("SELECT -1")
        #expect(back == UInt.max)
    }

    #if os(Linux)
        @Test func widerIntegersThatDoNotFitAreRefused() throws {
            #expect(try connection.query("SELECT ?", Wide(5)) == Wide(5))
            for attempt in [
                { try connection.run("SELECT ?", Wide.max) }, { try connection.run("SELECT \(Wide.max)") },
                { try connection.run("SELECT ?", [Wide.max]) },
            ] {
                #expect(try sqliteError(attempt).message == "a value of \(Wide.self) does not fit into an INTEGER")
            }
        }
    #endif

    @Test func wholeRealsReadAsIntegersAndOthersDoNot() throws {
        #expect(try connection.query("SELECT 3.0") == 3)
        #expect(try connection.query("SELECT -9223372036854775808.0") == Int64.min)
        for real in ["2.5", "9223372036854775808.0", "1e300", "9e999", "-9e999"] {
            let error = try conversionError { let _: Int = try connection.query(SQL(raw: "SELECT \(real)")) }
            #expect(error.reason == .outOfRange, "\(real)")
        }
    }

    @Test(arguments: ["'12abc'", "'12'", "x'31'", "''"])
    func otherStorageClassesAreNoIntegers(literal: String) throws {
        let error = try conversionError { let _: Int = try connection.query(SQL(raw: "SELECT \(literal)")) }
        #expect(error.reason == .storageClass)
        #expect(throws: ConversionError.self) { let _: Bool = try connection.query(SQL(raw: "SELECT \(literal)")) }
    }

    @Test func everyNumberButZeroIsTrue() throws {
        #expect(try connection.query("SELECT 0") == false)
        #expect(try connection.query("SELECT -1") == true)
        #expect(try connection.query("SELECT 2.0") == true)
        #expect(try connection.query("SELECT ?", true) == 1)
    }
}

#if os(Linux)
    // Apple's systems have the type only from macOS 15 on.
    private typealias Wide = UInt128
#endif
