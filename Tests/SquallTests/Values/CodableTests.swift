import Foundation
import Squall
import SquallTestSupport
import Testing

struct CodableTests {
    struct Employee: CodableBinding, Equatable {
        let id: Int64
        let firstName: String
        let hired: Date
    }

    struct Measurement: CodableBinding {
        let value: Double

        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "cannot be written"))
        }
    }

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(x)")
    }

    @Test func codableValuesAreBinaryPropertyLists() throws {
        let phil = Employee(id: 1, firstName: "Phil", hired: Date(timeIntervalSinceReferenceDate: 0.1))
        try connection.run("INSERT INTO t VALUES(?)", phil)
        #expect(try connection.query("SELECT x FROM t") == phil)
        let bytes: Data = try connection.query("SELECT x FROM t")
        #expect(bytes.starts(with: Data("bplist00".utf8)))
        let list = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        #expect(list?["firstName"] as? String == "Phil")
    }

    @Test func collectionsAreStoredUnderElementsAsSQiftDoes() throws {
        let array: ArrayBinding = [1, 2, 3]
        let set: SetBinding = ["a", "b"]
        let dictionary: DictionaryBinding = ["a": 1.5]
        let row = try #require(try connection.query("SELECT ?, ?, ?", array, set, dictionary) as Row?)
        #expect(try row.get(0) == array)
        #expect(try row.get(1) == set)
        #expect(try row.get(2) == dictionary)
        let list = try PropertyListSerialization.propertyList(from: row.get(0) as Data, format: nil) as? [String: [Int]]
        #expect(list == ["elements": [1, 2, 3]])
    }

    @Test func sqiftDefect8EncodingFailuresAreThrown() throws {
        let bad = Measurement(value: 1)
        #expect(bad.bindingValue == .null)
        #expect(throws: EncodingError.self) { try connection.run("INSERT INTO t VALUES(?)", bad) }
        #expect(throws: EncodingError.self) { try connection.run("INSERT INTO t VALUES(\(bad))") }
        #expect(throws: EncodingError.self) { try connection.run("INSERT INTO t VALUES(?)", [bad]) }
        #expect(throws: EncodingError.self) { try connection.run("INSERT INTO t VALUES(:a)", [":a": bad]) }
        #expect(throws: EncodingError.self) { try connection.run("INSERT INTO t VALUES(?)", JSONBinding(Double.nan)) }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func bytesThatAreNoPropertyListAreRefused() throws {
        let error = try conversionError { let _: Employee = try connection.query("SELECT x'00'") }
        #expect(error.reason == .unacceptable)
        #expect(throws: ConversionError.self) { let _: Employee? = try connection.query("SELECT x''") }
    }

    @Test func jsonIsTextThatSQLLooksInto() throws {
        struct Address: Codable, Equatable {
            let street: String?
            let city: String
            let since: Date
        }
        let address = Address(street: nil, city: "Kraków/PL", since: Date(timeIntervalSince1970: 1))
        try connection.run("INSERT INTO t VALUES(?)", JSONBinding(address))
        #expect(try connection.query("SELECT x FROM t") == #"{"city":"Kraków/PL","since":"1970-01-01T00:00:01.000"}"#)
        #expect(try connection.query("SELECT x ->> '$.city' FROM t") == "Kraków/PL")
        #expect(try connection.query("SELECT x FROM t") == JSONBinding(address))
        let error = try conversionError { let _: JSONBinding<Address> = try connection.query("SELECT '{}'") }
        #expect(error.reason == .unacceptable)
    }

    enum Fuel: String, Binding { case petrol, diesel }
    enum Level: UInt8, Binding { case low = 1, high = 200 }
    struct Options: OptionSet, Binding {
        let rawValue: Int
        static let sunroof = Options(rawValue: 4)
    }

    @Test func rawValues() throws {
        #expect(try connection.query("SELECT ?", Fuel.diesel) == "diesel")
        #expect(try connection.query("SELECT 'petrol'") == Fuel.petrol)
        #expect(try connection.query("SELECT \(Level.high)") == Level.high)
        #expect(try connection.query("SELECT ?", Options.sunroof) == Options.sunroof)
        let error = try conversionError { let _: Fuel = try connection.query("SELECT 'water'") }
        #expect(error.reason == .unacceptable)
        #expect(error.expected == "Fuel")
        #expect(try conversionError { let _: Fuel = try connection.query("SELECT 1") }.reason == .storageClass)
        #expect(try conversionError { let _: Level = try connection.query("SELECT 3") }.reason == .unacceptable)
    }

    /// Written exactly as SQift's README does.
    enum DownloadState: Int {
        case pending, downloading, downloaded, failed
    }

    @Test func customBindingsOfSQift() throws {
        try connection.run("INSERT INTO t VALUES(?)", DownloadState.downloaded)
        let state: DownloadState? = try connection.query("SELECT x FROM t")
        #expect(state == .downloaded)
        // One conversion path: a whole REAL is an INTEGER for custom types as well, and TEXT is not.
        #expect(try connection.query("SELECT 3.0") == DownloadState.failed)
        #expect(
            try conversionError { let _: DownloadState = try connection.query("SELECT '1'") }.reason == .storageClass)
        #expect(try conversionError { let _: DownloadState = try connection.query("SELECT 9") }.reason == .unacceptable)
        #expect(try conversionError { let _: DownloadState = try connection.query("SELECT NULL") }.reason == .null)
    }

    enum Switch: String { case on, off }

    struct Note: CodableBinding {
        typealias BindingType = Data
        let text: String

        var bindingValue: BindingValue { .blob(Data(text.utf8)) }

        static func fromBindingValue(_ value: Any) -> Note? {
            (value as? Data).map { Note(text: String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// What a type defines for itself wins over what its raw value or its coding would give.
    @Test func aTypesOwnFormIsUsed() throws {
        #expect(try connection.query("SELECT typeof(?)", Switch.on) == "integer")
        #expect(try connection.query("SELECT \(Switch.on)") == 1)
        #expect(try connection.query("SELECT 0") == Switch.off)
        #expect(try connection.query("SELECT hex(?)", Note(text: "ab")) == "6162")
        let note: Note = try connection.query("SELECT ?", Note(text: "ab"))
        #expect(note.text == "ab")
    }

    @Test func bindingValuesAreBindings() throws {
        let values: [BindingValue] = [.integer(1), .real(1.5), .text("a\0b"), .blob(Data([1])), .blob(Data())]
        for value in values {
            #expect(try connection.query("SELECT ?", value) == value)
            #expect(try connection.query("SELECT \(value)") == value)
        }
        let null: BindingValue? = try connection.query("SELECT NULL")
        #expect(null == nil)
    }

    @Test func jsonThatCannotBeWrittenIsNULLWhereNothingIsThrown() {
        #expect(JSONBinding([1, 2]).bindingValue == .text("[1,2]"))
        #expect(JSONBinding([Double.nan]).bindingValue == .null)
    }

    @Test func aTextThatIsNoDateIsNotReadFromJSON() {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(JSONBinding<[Date]>.fromBindingValue(#"["2001-01-01T00:00:00.000"]"#)?.value == [date])
        #expect(JSONBinding<[Date]>.fromBindingValue(#"["yesterday"]"#) == nil)
    }

    @Test func theLastValueOfAKeyIsKept() {
        let binding: DictionaryBinding = ["a": 1, "b": 2, "a": 3]
        #expect(binding.elements == ["a": 3, "b": 2])
    }
}

extension CodableTests.DownloadState: Binding {
    typealias BindingType = Int64

    var bindingValue: BindingValue { return .integer(Int64(rawValue)) }

    static func fromBindingValue(_ value: Any) -> CodableTests.DownloadState? {
        guard let value = value as? Int64, let rawValue = Int(exactly: value) else { return nil }
        return CodableTests.DownloadState(rawValue: rawValue)
    }
}

extension CodableTests.Switch: Binding {
    typealias BindingType = Int64

    var bindingValue: BindingValue { .integer(self == .on ? 1 : 0) }

    static func fromBindingValue(_ value: Any) -> CodableTests.Switch? {
        (value as? Int64).map { $0 == 1 ? .on : .off }
    }
}
