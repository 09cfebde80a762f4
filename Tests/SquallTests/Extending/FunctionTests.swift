import Foundation
import Squall
import SquallTestSupport
import Testing

/// Functions of Swift types.
struct FunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    @Test func argumentsAndResultAreSwiftValues() throws {
        try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
        #expect(try connection.query("SELECT distance(1.5, 4)") == 2.5)
        #expect(try connection.query("SELECT typeof(distance(1, 2))") == "real")
        try connection.addFunction("shout") { (text: String) in text.uppercased() + "!" }
        #expect(try connection.query("SELECT shout('på')") == "PÅ!")
        try connection.addFunction("flip") { (isOn: Bool) in !isOn }
        #expect(try connection.query("SELECT flip(1)") == 0)
        try connection.addFunction("answer") { 42 }
        #expect(try connection.query("SELECT answer()") == 42)
        try connection.addFunction("reversed") { (bytes: [UInt8]) in Data(bytes.reversed()) }
        #expect(try connection.query("SELECT hex(reversed(x'0102ff'))") == "FF0201")
    }

    @Test func datesAndIdentifiersAreArguments() throws {
        try connection.addFunction("a_day_later") { (date: Date) in date.addingTimeInterval(86_400) }
        let next: String = try connection.query("SELECT a_day_later('2026-02-28 12:00')")
        #expect(next == "2026-03-01T12:00:00.000")
        let id = UUID()
        try connection.addFunction("same_id") { (id: UUID) in id }
        #expect(try connection.query("SELECT same_id(?)", id.uuidString) == id)
    }

    private enum Fuel: String, Binding {
        case petrol, diesel
    }

    private struct Level: Binding {
        typealias BindingType = Int64
        let number: Int64

        var bindingValue: BindingValue { .integer(number) }

        static func fromBindingValue(_ value: Any) -> Level? { (value as? Int64).map { Level(number: $0) } }
    }

    @Test func typesOfYourOwnAreArgumentsAndResults() throws {
        try connection.addFunction("other") { (fuel: Fuel) in fuel == .petrol ? Fuel.diesel : .petrol }
        #expect(try connection.query("SELECT other('petrol')") == "diesel")
        let error = try sqliteError { try connection.run("SELECT other('water')") }
        #expect(error.message == "other(), argument 1: expected Fuel, found TEXT that it does not accept")
        try connection.addFunction("up") { (level: Level) in Level(number: level.number + 1) }
        #expect(try connection.query("SELECT up(7)") == 8)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT up('7')") }
    }

    @Test func manyArgumentsComeInTheirOrder() throws {
        try connection.addFunction("joined") { (a: Int, b: String, c: Double, d: Bool, e: Int8?) in
            "\(a) \(b) \(c) \(d) \(e.map { "\($0)" } ?? "nil")"
        }
        #expect(try connection.query("SELECT joined(1, 'two', 3.5, 1, NULL)") == "1 two 3.5 true nil")
    }

    @Test func nullIsForOptionals() throws {
        try connection.addFunction("or_zero") { (number: Int?) in number ?? 0 }
        #expect(try connection.query("SELECT or_zero(NULL)") == 0)
        #expect(try connection.query("SELECT or_zero(7)") == 7)
        try connection.addFunction("half") { (number: Int) in number % 2 == 0 ? number / 2 : nil }
        #expect(try connection.query("SELECT half(8)") == 4)
        #expect(try connection.query("SELECT half(7) IS NULL") == 1)
        let error = try sqliteError { try connection.run("SELECT half(NULL)") }
        #expect(error.message == "half(), argument 1: expected Int, found NULL")
    }

    @Test func wrongArgumentsAreNamed() throws {
        try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
        let error = try sqliteError { try connection.run("SELECT distance(1, 'far')") }
        #expect(error.message == "distance(), argument 2: expected Double, found TEXT")
        #expect(error.resultCode == .mismatch)
        #expect(error.sql == "SELECT distance(1, 'far')")
        try connection.addFunction("small") { (number: Int8?) in number }
        #expect(
            try sqliteError { try connection.run("SELECT small(300)") }.message
                == "small(), argument 1: expected Int8, found INTEGER 300, which does not fit")
        #expect(
            try sqliteError { try connection.run("SELECT small(x'')") }.message
                == "small(), argument 1: expected Int8, found BLOB")
    }

    @Test func aWrongNumberOfArgumentsIsSQLitesError() throws {
        try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
        let error = try sqliteError { try connection.run("SELECT distance(1)") }
        #expect(error.message == "wrong number of arguments to function distance()")
    }

    @Test func theNumberOfArgumentsTellsFunctionsApart() throws {
        try connection.addFunction("f") { (_: Int) in "one" }
        try connection.addFunction("f") { (_: Int, _: Int) in "two" }
        try connection.addFunction("f") { (values: [BindingValue]) in "any \(values.count)" }
        #expect(try connection.query("SELECT f(1) || ', ' || f(1, 2) || ', ' || f(1, 2, 3)") == "one, two, any 3")
        try connection.removeFunction(named: "f", argumentCount: -1)
        #expect(try connection.query("SELECT f(1) || ', ' || f(1, 2)") == "one, two")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT f(1, 2, 3)") }
        try connection.removeFunction(named: "f", argumentCount: 2)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT f(1, 2)") }
        try connection.removeFunction(named: "f", argumentCount: 2)
    }

    @Test func functionsOfAnyNumberOfArgumentsTakeAnArray() throws {
        try connection.addFunction("greatest") { (numbers: [Double?]) in numbers.compactMap { $0 }.max() }
        #expect(try connection.query("SELECT greatest(1, 7.5, NULL, 2)") == 7.5)
        #expect(try connection.query("SELECT greatest() IS NULL") == 1)
        try connection.addFunction("kinds") { (values: [BindingValue]) in "\(values)" }
        let kinds: String = try connection.query("SELECT kinds(1, 2.5, NULL)")
        #expect(kinds == "[Squall.BindingValue.integer(1), Squall.BindingValue.real(2.5), Squall.BindingValue.null]")
        #expect(
            try sqliteError { try connection.run("SELECT greatest(1, 2, 'x')") }.message
                == "greatest(), argument 3: expected Double, found TEXT")
    }

    @Test func textAndBytesArriveWhole() throws {
        try connection.addFunction("size") { (text: String) in text.utf8.count }
        #expect(try connection.query("SELECT size(?)", "a\0b") == 3)
        #expect(try connection.query("SELECT size('')") == 0)
        try connection.addFunction("same") { (text: String) in text }
        #expect(try connection.query("SELECT same(?)", "a\0b") == "a\0b")
        #expect(try connection.query("SELECT typeof(same(''))") == "text")
        try connection.addFunction("same_bytes") { (data: Data) in data }
        #expect(try connection.query("SELECT typeof(same_bytes(x''))") == "blob")
        #expect(try connection.query("SELECT same_bytes(x'00')") == Data([0]))
        let invalid = try sqliteError { try connection.run("SELECT same(CAST(x'ff' AS TEXT))") }
        #expect(invalid.message == "same(), argument 1: expected String, found TEXT that is not valid UTF-8")
        #expect(try connection.query("SELECT same_bytes(CAST(x'ff' AS TEXT))") == Data([0xff]))
    }

    @Test func notANumberIsRefusedAsAResult() throws {
        try connection.addFunction("nan") { Double.nan }
        let error = try sqliteError { try connection.run("SELECT nan()") }
        #expect(error.message == "NaN cannot be the result of a function: SQLite would make it NULL")
    }

    @Test func deterministicFunctionsMayBeUsedInAnIndex() throws {
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES('b'), ('A')")
        try connection.addFunction("folded", deterministic: true, innocuous: true) { (text: String) in
            text.lowercased()
        }
        try connection.execute("CREATE INDEX i ON t(folded(a))")
        #expect(try connection.query("SELECT a FROM t WHERE folded(a) = 'a'") == "A")
        let plan = try #require(
            try connection.query("EXPLAIN QUERY PLAN SELECT a FROM t WHERE folded(a) = 'a'") as Row?)
        #expect(plan["detail"] == "SEARCH t USING INDEX i (<expr>=?)")
        try connection.addFunction("changing", innocuous: true) { (text: String) in text }
        let error = try sqliteError { try connection.execute("CREATE INDEX j ON t(changing(a))") }
        #expect(error.message == "non-deterministic functions prohibited in index expressions")
    }

    @Test func theSchemaCannotCallAFunctionUnlessItIsSaidSo() throws {
        let trusting = try Connection(storageLocation: .inMemory)
        try trusting.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        try trusting.addFunction("plain") { (a: Int) in a }
        try trusting.addFunction("trusted", directOnly: false) { (a: Int) in a }
        try trusting.execute("CREATE VIEW v AS SELECT plain(a) FROM t; CREATE VIEW w AS SELECT trusted(a) FROM t")
        let error = try sqliteError { try trusting.run("SELECT * FROM v") }
        #expect(error.message == "unsafe use of plain()")
        #expect(try trusting.query("SELECT * FROM w") == 1)
        try trusting.execute("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT plain(1); END")
        #expect(try sqliteError { try trusting.run("INSERT INTO t VALUES(2)") }.message == "unsafe use of plain()")
    }

    @Test(
        arguments: [
            "CREATE TABLE t(x, CHECK (f(x) > 0))", "CREATE TABLE t(x, y AS (f(x)))",
            "CREATE TABLE t(x); CREATE INDEX i ON t(f(x))", "CREATE TABLE t(x DEFAULT (f(1)))",
        ] as [SQL])
    func theRestOfTheSchemaCannotCallADirectFunctionEither(definition: SQL) throws {
        func write(directOnly: Bool) throws {
            let trusting = try Connection(storageLocation: .inMemory)
            try trusting.addFunction("f", deterministic: true, directOnly: directOnly) { (a: Int?) in a }
            try trusting.execute(definition)
            try trusting.run("INSERT INTO t DEFAULT VALUES")
        }
        #expect(try sqliteError { try write(directOnly: true) }.message == "unsafe use of f()")
        try write(directOnly: false)
    }

    /// 127 before SQLite 3.48, and 1,000 from then on.
    @Test func aFunctionHasAtMost127Arguments() throws {
        try connection.addFunction("many") { (values: [Int]) in values.count }
        let most = Int(connection.limits[.functionArguments])
        #expect(most == (SQLiteFeatures.version < 3_048_000 ? 127 : 1_000))
        let list = Array(repeating: "1", count: most).joined(separator: ",")
        #expect(try connection.query("SELECT many(\(raw: list))") == most)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT many(\(raw: list), 1)") }
    }

    @Test func anUntrustedSchemaCallsInnocuousFunctionsAlone() throws {
        var configuration = Configuration.recommended
        configuration.trustedSchema = false
        let connection = try Connection(":memory:", configuration: configuration)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        try connection.addFunction("plain", directOnly: false) { (a: Int) in a }
        try connection.addFunction("harmless", innocuous: true) { (a: Int) in a }
        try connection.execute("CREATE VIEW v AS SELECT plain(a) FROM t; CREATE VIEW w AS SELECT harmless(a) FROM t")
        #expect(try sqliteError { try connection.run("SELECT * FROM v") }.message == "unsafe use of plain()")
        #expect(try connection.query("SELECT * FROM w") == 1)
    }

    @Test func namesThatSQLiteCannotKeepAreRefused() throws {
        let long = String(repeating: "f", count: 256)
        #expect(
            try sqliteError { try connection.addFunction(long) { 1 } }.message
                == "the name of a function has at most 255 bytes, not 256")
        try connection.addFunction(String(long.dropLast())) { 1 }
        #expect(try connection.query("SELECT \(raw: String(long.dropLast()))()") == 1)
        #expect(
            try sqliteError { try connection.addFunction("a\0b") { 1 } }.message
                == "the name of a function cannot have a NUL character")
        #expect(throws: SQLiteError.self) { try connection.removeFunction(named: "a\0b", argumentCount: 0) }
    }

    @Test func aClosedConnectionTakesNoFunctions() throws {
        connection.close()
        #expect(try sqliteError { try connection.addFunction("f") { 1 } }.message == "the connection is closed")
    }

    @Test func aFunctionGoesWithItsConnection() throws {
        weak var kept: Kept?
        do {
            let connection = try Connection(":memory:")
            let object = Kept()
            kept = object
            try connection.addFunction("f") { [object] in object.number }
            #expect(try connection.query("SELECT f()") == 1)
        }
        #expect(kept == nil)
    }

    @Test func aFunctionGoesWhenItIsReplacedRemovedOrRefused() throws {
        weak var first: Kept?
        weak var second: Kept?
        weak var third: Kept?
        do {
            let (one, two, three) = (Kept(), Kept(), Kept())
            (first, second, third) = (one, two, three)
            try connection.addFunction("f") { [one] in one.number }
            try connection.addFunction("f") { [two] in two.number }
            #expect(throws: SQLiteError.self) {
                try connection.addFunction(String(repeating: "f", count: 300)) { [three] in three.number }
            }
            #expect(try connection.query("SELECT f()") == 1)
        }
        #expect(first == nil)
        #expect(second != nil)
        #expect(third == nil)
        try connection.removeFunction(named: "f", argumentCount: 0)
        #expect(second == nil)
    }
}

final class Kept {
    let number = 1
}
