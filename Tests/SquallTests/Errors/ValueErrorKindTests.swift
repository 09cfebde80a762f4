import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// The kinds of the errors of values, results and functions.
struct ValueErrorKindTests {
    private struct Numbered { let id: Int, name: String }

    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES('x', 1)")
    }

    @Test func aValueThatCannotBeStoredHasItsTypeAndTheReason() throws {
        let far = Date(timeIntervalSinceReferenceDate: 1e12)
        let farther = Date(timeIntervalSince1970: 1e30)
        let attempts: [(SQLiteError.Kind, () throws -> Void)] = [
            (.unstorable(type: "Decimal", reason: .notANumber), { try connection.run("SELECT \(Decimal.nan)") }),
            (
                .unstorable(type: "Double", reason: .notANumberForParameter(2)),
                { try connection.run("SELECT \(1), \(Double.nan)") }
            ),
            (
                .unstorable(type: "Double", reason: .notANumberAsLiteral),
                { try connection.createTable("u", ["a DEFAULT \(Double.nan)"]) }
            ),
            (
                .unstorable(type: "Date", reason: .yearOutOfRange),
                { try connection.run("SELECT \(far)") }
            ),
            (
                .unstorable(type: "UnixMilliseconds", reason: .tooFarForMilliseconds),
                { try connection.run("SELECT \(UnixMilliseconds(farther))") }
            ),
        ]
        for (kind, attempt) in attempts {
            #expect(try errorKind(attempt) == kind)
        }
    }

    @Test func aKeyThatDoesNotFitItsFormIsNamed() throws {
        let form = StorageForm<Int>("doubled", type: "INTEGER") {
            .integer(Int64($0) * 2)
        } decode: {
            $0.integer.map { Int($0) / 2 }
        }
        let table = Table("points", Numbered.init) {
            Column("id", \Numbered.id, as: form, .primaryKey)
            Column("name", \Numbered.name)
        }
        try connection.create(table)
        try connection.table(table).insert(Numbered(id: 1, name: "a"))
        #expect(try connection.table(table).find(key: 1)?.name == "a")
        #expect(try connection.table(table).find(key: Int8(1))?.name == "a")
        let kind = try errorKind { _ = try connection.table(table).find(key: UInt64.max) }
        #expect(kind == .unstorable(type: "UInt64", reason: .otherForm("doubled")))
    }

    #if os(Linux)
        @Test func anIntegerThatDoesNotFitHasItsType() throws {
            let kind = try errorKind { try connection.run("SELECT \(UInt128.max)") }
            #expect(kind == .unstorable(type: "UInt128", reason: .tooLarge))
        }
    #endif

    @Test func aNULCharacterHasItsPlace() throws {
        let text = "a\0b"
        let attempts: [(SQLiteError.NulCharacterPlace, ResultCode, () throws -> Void)] = [
            (.sql, .error, { try connection.run("SELECT 1; \0") }),
            (.identifier, .misuse, { try connection.run("SELECT \(name: text)") }),
            (.path, .cantOpen, { _ = try Connection(text) }),
            (.path, .misuse, { try connection.vacuum(into: text) }),
            (.attachment, .misuse, { try connection.attachDatabase(from: .inMemory, withName: text) }),
            (.databaseName, .misuse, { try connection.backup(databaseNamed: text, to: Connection()).run() }),
            (.functionName, .misuse, { try connection.addFunction(text) { 1 } }),
            (.collationName, .misuse, { try connection.addCollation(text) { _, _ in .orderedSame } }),
        ]
        for (place, code, attempt) in attempts {
            let error = try sqliteError(attempt)
            #expect(error.kind == .nulCharacter(in: place))
            #expect(error.resultCode == code)
        }
    }

    @Test func aDictionaryHasTheNumberOfColumns() throws {
        struct Pair: Decodable { let b: Int }
        let pairs = try errorKind { let _: [String: Int] = try connection.query("SELECT a, b, b FROM t") }
        #expect(pairs == .notPairs(type: "Dictionary<String, Int>", columnCount: 3))
        let rows = try errorKind { let _: [String: Pair] = try connection.query("SELECT a, b FROM t") }
        #expect(rows == .notMadeOfRows(type: "Dictionary<String, Pair>"))
    }

    @Test func aFunctionHasItsLimit() throws {
        let long = String(repeating: "f", count: 256)
        #expect(
            try errorKind { try connection.addFunction(long) { 1 } }
                == .problem(FunctionProblem.nameTooLong(byteCount: 256)))
        let flags = FunctionFlags(deterministic: false, directOnly: false, innocuous: false)
        let many = try errorKind { try connection.addFunction("f", argumentCount: 128, flags: flags, call: { _ in }) }
        #expect(many == .problem(FunctionProblem.tooManyArguments(count: 128)))
        var kind: SQLiteError.Kind?
        try connection.addFunction("adder") { [unowned connection] in
            kind = try errorKind { try connection.addFunction("inner") { 1 } }
            return 1
        }
        try connection.run("SELECT adder()")
        #expect(kind == .problem(FunctionProblem.changedDuringCall(name: "inner")))
    }
}
