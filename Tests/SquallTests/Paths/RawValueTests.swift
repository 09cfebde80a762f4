import Foundation
import Squall
import SquallTestSupport
import Testing

/// A type with a raw value stores what its raw value stores, and throws what it throws, on every way in.
struct RawValueTests {
    struct Wrapped<RawValue: Binding & Sendable>: RawRepresentable, Binding, Sendable {
        let rawValue: RawValue
    }

    /// A type whose values can be stored only if they are checked.
    struct Checked: Binding, Sendable {
        typealias BindingType = String
        let text: String?

        var bindingValue: BindingValue { .null }
        func checkedBindingValue() throws -> BindingValue {
            guard let text else { throw ValueIsMissing() }
            return .text(text)
        }
        static func fromBindingValue(_ value: Any) -> Checked? { (value as? String).map { Checked(text: $0) } }
    }

    private static func outcome<Value: Binding & Sendable>(_ value: Value, _ way: ValueWay) -> String
    where Value.ColumnBase == Value {
        do {
            return "\(try way.store(value))"
        } catch {
            // The name of the type is the only difference.
            var inner = "\(Value.self)"
            while inner.hasPrefix("Wrapped<") { inner = String(inner.dropFirst(8).dropLast()) }
            return "\(error)".replacing("\(Value.self)", with: inner)
        }
    }

    private static func expectTwins<Value: Binding & Sendable>(_ value: Value, _ ways: [ValueWay] = ValueWay.allCases)
    where Value.ColumnBase == Value {
        for way in ways {
            let expected = outcome(value, way)
            #expect(outcome(Wrapped(rawValue: value), way) == expected, "\(Value.self): \(way)")
            #expect(outcome(Wrapped(rawValue: Wrapped(rawValue: value)), way) == expected, "\(Value.self): \(way)")
        }
    }

    /// A value that is compared with itself as a raw value.
    struct Twins: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expect: @Sendable () -> Void

        init<Value: Binding & Sendable>(_ value: Value) where Value.ColumnBase == Value {
            testDescription = "\(Value.self)"
            expect = { expectTwins(value) }
        }
    }

    private static let far = Date(timeIntervalSince1970: 253_402_300_800)
    private static let notADate = Date(timeIntervalSince1970: .nan)

    static let twins = [
        Twins(Date(timeIntervalSince1970: 1e9)), Twins(far), Twins(notADate), Twins(UnixMilliseconds(far)),
        Twins(UnixMilliseconds(Date(timeIntervalSince1970: 1e30))), Twins(UnixTime(far)), Twins(UnixTime(notADate)),
        Twins(JulianDay(far)), Twins(JSONBinding([1, 2])), Twins(JSONBinding(1.5)), Twins(JSONBinding(Double.nan)),
        Twins(JSONBinding(far)), Twins(Decimal(1.5)), Twins(Decimal.nan), Twins(1.5), Twins(Double.nan),
        Twins(Double.infinity), Twins(Float(2.5)), Twins(Float.nan), Twins(7), Twins(Int8(-1)), Twins(UInt64.max),
        Twins(true), Twins("text"), Twins(""), Twins("a\0b"), Twins(Data([1, 2])), Twins(Data()),
        Twins(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        Twins(ArrayBinding(elements: [1, 2])),
        Twins(Checked(text: "text")), Twins(Checked(text: nil)), Twins(BindingValue.real(.nan)),
    ]

    @Test(arguments: twins) func aRawValueIsStoredAndCheckedAsItIs(_ twins: Twins) { twins.expect() }

    #if os(Linux)
        @Test func anIntegerThatDoesNotFitIsRefusedAsARawValue() { Self.expectTwins(UInt128.max) }
    #endif

    @Test func randomRawValuesAreStoredAsTheyAre() {
        var generator = TestSeed.of().generator()
        for _ in 0..<500 {
            guard let way = ValueWay.allCases.randomElement(using: &generator) else { return }
            // Years from -100 to 10,100, so that some dates have no text.
            let seconds = Double.random(in: -65_000_000_000...256_500_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: generator.chance(30) ? 253_402_300_799 + seconds / 1e11 : seconds)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: Self.expectTwins(UnixMilliseconds(Date(timeIntervalSince1970: seconds * 1e6)), [way])
            case 1: Self.expectTwins(JSONBinding([generator.chance(50) ? Double.nan : seconds]), [way])
            default: Self.expectTwins(date, [way])
            }
        }
    }

    @Test func theErrorsNameTheRawValue() throws {
        let connection = try Connection()
        let kind = try errorKind { try connection.run("SELECT \(Wrapped(rawValue: Self.far))") }
        #expect(kind == .unstorable(type: "Date", reason: .yearOutOfRange))
        #expect(try errorKind { try connection.run("SELECT ?", Wrapped(rawValue: Self.far)) } == kind)
        let decimal = try errorKind { try connection.run("SELECT ?", Wrapped(rawValue: Decimal.nan)) }
        #expect(decimal == .unstorable(type: "Decimal", reason: .notANumber))
    }

    /// A type may store something else than its raw value.
    @Test func aTypeThatStoresItselfInAnotherWayDoesSo() throws {
        struct Moment: RawRepresentable, Binding {
            typealias BindingType = String
            let rawValue: Date
            var bindingValue: BindingValue { .text(rawValue < RawValueTests.far ? "soon" : "far") }
            static func fromBindingValue(_ value: Any) -> Moment? {
                (value as? String).map { Moment(rawValue: $0 == "far" ? RawValueTests.far : .distantPast) }
            }
        }
        let connection = try Connection()
        let moments = [Moment(rawValue: .distantPast), Moment(rawValue: Self.far)]
        let texts: [String] = try moments.map { try connection.query("SELECT ?", $0) }
        #expect(texts == ["soon", "far"])
        let found: [Moment] = try connection.query("SELECT value FROM \(array: moments)")
        #expect(found.map(\.rawValue) == moments.map(\.rawValue))
    }

    /// TEXT that is not UTF-8 keeps its type where the raw value can be any value.
    @Test func aRawValueOfAnyType() throws {
        struct Anything: RawRepresentable, Hashable, Binding { let rawValue: BindingValue }
        let connection = try Connection()
        for sql in ["CAST(x'ff41' AS TEXT)", "x'ff41'", "'text'", "7", "1.5"] {
            let value: Anything? = try connection.query("SELECT \(raw: sql)")
            #expect(try connection.query("SELECT \(value) IS \(raw: sql)") == 1)
            let plain: BindingValue? = try connection.query("SELECT \(raw: sql)")
            #expect(value?.rawValue == plain)
        }
    }

    /// It is no number of JSON, and JSON with it could not be read.
    @Test func aDecimalThatIsNoNumberInJSON() throws {
        struct Price: Codable { var value: Decimal, name = "N" }
        let connection = try Connection()
        #expect(throws: (any Error).self) {
            try connection.query("SELECT \(JSONBinding(Decimal.nan))", as: String.self)
        }
        #expect(throws: (any Error).self) {
            try connection.query("SELECT \(JSONBinding([Price(value: .nan)]))", as: String.self)
        }
        let text = try connection.query(
            "SELECT \(JSONBinding(Price(value: 1.5, name: "NaN \\\"N\"")))", as: String.self)
        #expect(text == #"{"name":"NaN \\\"N\"","value":1.5}"#)
    }
}
