import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

/// Functions in SQift's form, by SQift's own tests.
struct SQiftFunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(storageLocation: .inMemory)
        try connection.execute(
            """
            CREATE TABLE sq_values(grp INTEGER NOT NULL, value INTEGER NOT NULL);
            INSERT INTO sq_values VALUES (0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6), (2, 7), (3, 8), (3, 9)
            """
        )
    }

    private final class MutableNumber {
        var number: Int64 = 0
    }

    private func addEcho() throws {
        try connection.addScalarFunction(named: "sq_echo", argumentCount: 1) { _, values in
            guard let value = values.first else { return .null }
            switch value.type {
            case .null: return .null
            case .integer: return .long(value.long)
            case .double: return .double(value.double)
            case .text: return .text(value.text)
            case .data: return .data(value.data)
            }
        }
    }

    @Test func valuesComeBackAsTheyWere() throws {
        try addEcho()
        for value in [BindingValue.integer(10), .real(1234.5678), .text("français, 日本語, 😃"), .blob(Data([0, 1]))] {
            #expect(try connection.query("SELECT sq_echo(?)", value) == value)
        }
        #expect(try connection.query("SELECT sq_echo(NULL) IS NULL") == 1)
        #expect(try connection.query("SELECT typeof(sq_echo(x'')) || typeof(sq_echo(''))") == "blobtext")
        #expect(try connection.query("SELECT sq_echo(?)", "a\0b") == "a\0b")
        #expect(try connection.query("SELECT sq_echo(CAST(x'61ff' AS TEXT))") == "a\u{fffd}")
    }

    @Test func valuesAreConvertedAsSQLiteDoes() throws {
        try connection.addScalarFunction(named: "kinds", argumentCount: 1) { _, values in
            let value = values[0]
            let numbers = "\(value.integer) \(value.long) \(value.double)"
            return .text("\(numbers) '\(value.text)' \(value.data.count) \(value.buffer.count) \(value.numericType)")
        }
        func kinds(_ value: BindingValue) throws -> String { try connection.query("SELECT kinds(?)", value) }
        #expect(try kinds(.null) == "0 0 0.0 '' 0 0 null")
        #expect(try kinds(.blob(Data())) == "0 0 0.0 '' 0 0 data")
        #expect(try kinds(.integer(5_000_000_000)) == "705032704 5000000000 5000000000.0 '5000000000' 10 10 integer")
        #expect(try kinds(.real(-2.7)) == "-2 -2 -2.7 '-2.7' 4 4 double")
        #expect(try kinds(.text("12")) == "12 12 12.0 '12' 2 2 integer")
        #expect(try kinds(.text("1.5x")) == "1 1 1.5 '1.5x' 4 4 text")
    }

    @Test func theFunctionOfSQiftsReadMe() throws {
        try connection.addScalarFunction(named: "strip_unicode", argumentCount: 1) { _, values in
            guard let value = values.first, value.isText else { return .null }
            return .text(value.text.folding(options: .diacriticInsensitive, locale: nil))
        }
        let sql: SQL = "SELECT strip_unicode(?)"
        let results: [String?] = try ["å", "ć", "áč"].map { try connection.prepare(sql, $0).query() }
        #expect(results == ["a", "c", "ac"])
        let null: String? = try connection.prepare(sql, nil).query()
        #expect(null == nil)
    }

    @Test func everyResultArrives() throws {
        let date = Date(timeIntervalSince1970: 123_456)
        let results: [Connection.FunctionResult] = [
            .null, .integer(123), .long(123_456_789), .double(1234.5678), .text("text"), .date(date), .data(Data([1])),
            .zeroData(3),
        ]
        try connection.addScalarFunction(named: "sq_switch", argumentCount: 1) { _, values in
            results[Int(values[0].integer)]
        }
        let values: [BindingValue?] = try (0..<results.count).map { try connection.query("SELECT sq_switch(?)", $0) }
        let expected: [BindingValue?] = [
            nil, .integer(123), .integer(123_456_789), .real(1234.5678), .text("text"),
            .text("1970-01-02T10:17:36.000"),
            .blob(Data([1])), .blob(Data(count: 3)),
        ]
        #expect(values == expected)
        try connection.addScalarFunction(named: "a_date", argumentCount: 1) { _, values in
            values[0].date.map { .date($0) } ?? .null
        }
        #expect(try connection.query("SELECT a_date(?)", date) == date)
        #expect(try connection.query("SELECT a_date('x') IS NULL") == 1)
    }

    @Test func errorsHaveTheirMessagesAndCodes() throws {
        let message = "fūnctïòñ fåìlęd"
        for (code, expected) in [(nil, 1), (SQLITE_ERROR, 1), (SQLITE_MISUSE, 21), (SQLITE_CORRUPT, 11)] {
            try connection.addScalarFunction(named: "sq_throw", argumentCount: 0) { _, _ in
                .error(message: message, code: code)
            }
            let error = try sqliteError { try connection.run("SELECT sq_throw()") }
            #expect(error.message == message)
            #expect(error.code == Int32(expected))
        }
    }

    @Test func auxiliaryDataIsKeptForAConstant() throws {
        var made = 0
        try connection.addScalarFunction(named: "kept", argumentCount: 2) { context, values in
            let number =
                context.auxilaryData[0] as? MutableNumber
                ?? {
                    made += 1
                    let number = MutableNumber()
                    context.auxilaryData[0] = number
                    return number
                }()
            number.number += values[1].long
            return .long(number.number)
        }
        let sums: [Int] = try connection.query("SELECT kept(?, value) FROM sq_values", "constant")
        #expect(sums == [0, 1, 3, 6, 10, 15, 21, 28, 36, 45])
        #expect(made == 1)
    }

    @Test func auxiliaryDataGoesWithTheStatement() throws {
        weak var kept: MutableNumber?
        try connection.addScalarFunction(named: "kept", argumentCount: 1) { context, _ in
            if context.auxilaryData[0] == nil {
                let number = MutableNumber()
                context.auxilaryData[0] = number
                kept = number
            } else {
                context.auxilaryData[0] = nil
            }
            #expect(context.auxilaryData[-1] == nil)
            return .integer(kept == nil ? 0 : 1)
        }
        let alive: [Int] = try connection.query("SELECT kept('constant') FROM sq_values LIMIT 3")
        #expect(alive == [1, 0, 1])
        #expect(kept == nil)
    }

    @Test func anArgumentTellsItsStorageClass() throws {
        try connection.addScalarFunction(named: "class_of", argumentCount: 1) {
            .text($1[0].isInteger ? "integer" : $1[0].isDouble ? "double" : "other")
        }
        let classes: [String] = try connection.query(
            "SELECT class_of(1) UNION ALL SELECT class_of(1.0) UNION ALL SELECT class_of('1')")
        #expect(classes == ["integer", "double", "other"])
    }

    @Test func whatIsKeptAfterACallIsEmpty() throws {
        var values: [Connection.FunctionValue] = []
        var context: Connection.ScalarFunctionContext?
        try connection.addScalarFunction(named: "keeps", argumentCount: 1) {
            context = $0
            values = $1
            return .text(values[0].text)
        }
        #expect(try connection.query("SELECT keeps('text')") == "text")
        let value = try #require(values.first)
        #expect(value.isNull && !value.isText && value.numericType == .null)
        #expect(value.text == "" && value.data == Data() && value.buffer.isEmpty && value.date == nil)
        #expect(value.integer == 0 && value.long == 0 && value.double == 0)
        context?.auxilaryData[0] = MutableNumber()
        #expect(context?.auxilaryData[0] == nil)
    }

    @Test func functionsMayBeUsedInATrustedSchema() throws {
        try addEcho()
        try connection.execute("CREATE VIEW v AS SELECT sq_echo(value) FROM sq_values")
        #expect(try connection.query("SELECT count(*) FROM v") == 10)
    }

    @Test func functionsAreToldApartByTheirArguments() throws {
        for count in [1, 2, -1] as [Int8] {
            try connection.addScalarFunction(named: "sq_count", argumentCount: count) { _, values in
                .text("\(count) \(values.count)")
            }
        }
        #expect(try connection.query("SELECT sq_count(1) || ', ' || sq_count(1, 2)") == "1 1, 2 2")
        #expect(try connection.query("SELECT sq_count() || ', ' || sq_count(1, 2, 3)") == "-1 0, -1 3")
        try connection.removeFunction(named: "sq_count", argumentCount: 1)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT sq_count(1)") }
    }

    private func addSum() throws {
        try connection.addAggregateFunction(
            named: "sq_sum",
            argumentCount: 1,
            contextObjectFactory: { MutableNumber() },
            stepFunction: { context, values in
                guard let value = values.first, let sum = context.stepObject as? MutableNumber else { return }
                sum.number += value.long
            },
            finalFunction: { context in
                guard let sum = context.finalObject as? MutableNumber else { return .null }
                return .long(sum.number)
            }
        )
    }

    @Test func anAggregateHasAnObjectForEachGroup() throws {
        try addSum()
        #expect(try connection.query("SELECT sq_sum(value) FROM sq_values") == 45)
        let sums: [Int64] = try connection.query("SELECT sq_sum(value) FROM sq_values GROUP BY grp")
        #expect(sums == [3, 7, 18, 17])
        #expect(try connection.query("SELECT sq_sum(value) FROM sq_values WHERE 0") == 0)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT sq_sum(grp, value) FROM sq_values") }
        try connection.removeFunction(named: "sq_sum", argumentCount: 1)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT sq_sum(value) FROM sq_values") }
    }

    @Test func theObjectsGo() throws {
        let counter = Counter()
        var kept: Connection.AggregateFunctionContext?
        try connection.addAggregateFunction(
            named: "counted", argumentCount: 1, contextObjectFactory: { Counted(counter) },
            stepFunction: { context, _ in _ = context.stepObject },
            finalFunction: { context in
                kept = context
                return .integer(context.finalObject == nil ? 0 : 1)
            }
        )
        let statement = try connection.prepare("SELECT counted(value) FROM sq_values GROUP BY grp")
        #expect(try statement.step())
        try statement.reset()
        #expect(throws: SQLiteError.self) {
            try connection.run("SELECT counted(value), sum(abs(-9223372036854775807 - (value = 4))) FROM sq_values")
        }
        #expect(kept?.finalObject != nil)
        kept = nil
        #expect(counter.made >= 2)
        #expect(counter.alive == 0)
    }

    @Test func anAggregateMayFail() throws {
        try connection.addAggregateFunction(
            named: "failing", argumentCount: -1, contextObjectFactory: { MutableNumber() },
            stepFunction: { _, _ in }, finalFunction: { _ in .error(message: "failed", code: 11) }
        )
        let error = try sqliteError { try connection.run("SELECT failing(value, 1) FROM sq_values") }
        #expect(error.message == "failed")
        #expect(error.code == 11)
    }
}

/// Values, flags and errors of functions in SQift's form.
struct SQiftFunctionValueTests {
    let connection: Connection

    init() throws { connection = try Connection() }

    /// SQLite tells it by a bit of the flags: 0x800.
    @Test func anAggregateOfSQiftIsNotDeterministicUnlessItSaysSo() throws {
        let connection = try Connection()
        func add(_ name: String, deterministic: Bool?) throws {
            func add(_ deterministic: Bool) throws {
                try connection.addAggregateFunction(
                    named: name, argumentCount: 1, deterministic: deterministic, contextObjectFactory: { NSObject() },
                    stepFunction: { _, _ in }, finalFunction: { _ in .null })
            }
            guard deterministic == nil else { return try add(deterministic == true) }
            try connection.addAggregateFunction(
                named: name, argumentCount: 1, contextObjectFactory: { NSObject() }, stepFunction: { _, _ in },
                finalFunction: { _ in .null })
        }
        try add("silent", deterministic: nil)
        try add("no", deterministic: false)
        try add("yes", deterministic: true)
        let flags: [Int] = try connection.query(
            "SELECT flags & 0x800 FROM pragma_function_list WHERE name IN ('silent', 'no', 'yes') ORDER BY name")
        #expect(flags == [0, 0, 0x800])
    }

    @Test func argumentsOfFunctions() throws {
        let connection = try Connection()
        try connection.addScalarFunction(named: "sum_of_bytes", argumentCount: 1) { _, values in
            let sum = values[0].withBytes { (bytes: RawSpan) in
                bytes.withUnsafeBytes { $0.reduce(0) { $0 + Int64($1) } }
            }
            return .long(sum ?? -1)
        }
        try connection.addScalarFunction(named: "bytes_of_text", argumentCount: 1) { _, values in
            .long(values[0].withUTF8 { (text: Span<UInt8>) in Int64(text.count) } ?? -1)
        }
        let sums: [Int] = try connection.query(
            "SELECT sum_of_bytes(column1) FROM (VALUES(x'010203'), (NULL), ('x'), (x''))")
        #expect(sums == [6, -1, -1, 0])
        let counts: [Int] = try connection.query(
            "SELECT bytes_of_text(column1) FROM (VALUES('ä' || char(0)), (''), (1), (x'61'))")
        #expect(counts == [3, 0, -1, -1])
    }

    @Test(arguments: [0, -1, 100, 101, 256, 512]) func codesThatAreNoErrorsBecomeOne(_ code: Int32) throws {
        try connection.addScalarFunction(named: "g", argumentCount: 0) { _, _ in .error(message: "odd", code: code) }
        #expect(try sqliteError { try connection.run("SELECT g()") }.code == 1)
    }

    @Test func zeroBytesThatAreTooManyAreAnError() throws {
        var configuration = Configuration()
        configuration.limits[.length] = 1000
        let limited = try Connection(":memory:", configuration: configuration)
        try limited.addScalarFunction(named: "zeros", argumentCount: 1) { _, values in
            .zeroData(UInt64(bitPattern: values[0].long))
        }
        #expect(try limited.query("SELECT length(zeros(1000))") == 1000)
        let error = try sqliteError { try limited.run("SELECT zeros(1001)") }
        #expect(error.resultCode == .tooBig)
        #expect(error.message == "string or blob too big")
    }

    @Test func notANumberIsRefused() throws {
        try connection.addScalarFunction(named: "g", argumentCount: 0) { _, _ in .double(.nan) }
        #expect(try sqliteError { try connection.query("SELECT g()") as Double? }.message.contains("NaN"))
        try connection.addScalarFunction(named: "h", argumentCount: 0) { _, _ in .double(1.5) }
        #expect(try connection.query("SELECT h()") == 1.5)
    }
}
