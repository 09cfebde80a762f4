import Foundation
import Squall
import SquallTestSupport
import Testing

/// What was read is found again by a condition, and conditions of two spellings find the same.
struct FoundValueTests {
    private struct Event: TableRecord, Equatable {
        let id: Int64?
        let at: Date
        static let table = Table("events", Event.init) {
            Column("id", \Event.id, .primaryKey)
            Column("at", \Event.at, as: .julianDay)
        }
    }

    private struct Counter: TableRecord, Equatable {
        let id: Int64?
        let n: UInt64
        let m: UInt?
        static let table = Table("counters", Counter.init) {
            Column("id", \Counter.id, .primaryKey)
            Column("n", \Counter.n)
            Column("m", \Counter.m)
        }
    }

    /// A type of several storage classes.
    private struct Loose: Binding, Equatable {
        typealias BindingType = Any
        let text: String
        var bindingValue: BindingValue { .text(text) }
        static func fromBindingValue(_ value: Any) -> Loose? { Loose(text: "\(value)") }
    }

    /// A planned table of words.
    private final class Words: TableSource {
        let columns = [VirtualColumn<String>("word") { $0 }]

        func plan(_ query: PlanQuery) -> Plan {
            if let equal = query.constraint("word", .equal) {
                return equal.canBeList ? Plan(2, using: [equal.list]) : Plan(1, using: [equal.consumed])
            }
            return Plan(0)
        }

        func rows(_ scan: borrowing Scan) throws -> [String] {
            let all = ["5", "5.0", "1.5", "five", "-3"]
            switch scan.plan {
            case 1:
                let word = try scan.equalValue(0, as: String.self)
                return all.filter { $0 == word }
            case 2:
                let words = try scan.list(0, as: String?.self)
                return all.filter { words.contains($0) }
            default: return all
            }
        }
    }

    @Test func julianDays() throws {
        let connection = try Connection()
        try connection.create(Event.table)
        let seed = TestSeed.of()
        var random = seed.generator()
        for _ in 0..<500 {
            let at = Date(timeIntervalSince1970: Double.random(in: -1e10...1e10, using: &random))
            try connection.insert(Event(id: nil, at: at))
            let text =
                "\(Int.random(in: 1000...2999, using: &random))-07-03 04:05:\(Int.random(in: 10...59, using: &random)).123"
            try connection.run("INSERT INTO events(at) VALUES(julianday(\(text)))")
        }
        let events = try connection.all(Event.self)
        for event in events {
            let found = try connection.all(Event.where { $0.at == event.at }).map(\.id)
            #expect(found.contains(event.id), "seed \(seed), \(event)")
        }
        #expect(events.count == 1000)
    }

    @Test func aTypeOfSeveralStorageClassesIsNotCalledForNull() throws {
        let connection = try Connection()
        #expect(try connection.query("SELECT NULL") as Loose? == nil)
        #expect(try connection.query("SELECT 5") as Loose? == Loose(text: "5"))
        let list: [Loose?] = try connection.query("SELECT 1.5 UNION ALL SELECT NULL UNION ALL SELECT 'a'")
        #expect(list == [Loose(text: "1.5"), nil, Loose(text: "a")])
        #expect(throws: ConversionError.self) { try connection.query("SELECT NULL") as Loose }
    }

    @Test func numbersThatAreNegativeInSQLAreNotOrdered() throws {
        let connection = try Connection()
        try connection.create(Counter.table)
        for n: UInt64 in [5, 10, .max] { try connection.insert(Counter(id: nil, n: n, m: UInt(n))) }
        #expect(try connection.count(Counter.where { $0.n == .max && $0.m == .max }) == 1)
        #expect(try connection.count(Counter.where { $0.n.in([5, .max]) }) == 2)
        func expectRefused(_ body: () throws -> Any, _ location: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: SQLiteError.self, sourceLocation: location) { _ = try body() }
            guard case .computedForm? = error?.problem(ExpressionProblem.self) else {
                Issue.record("\(String(describing: error))", sourceLocation: location)
                return
            }
            #expect(error?.hint?.contains("Int64") == true, sourceLocation: location)
        }
        expectRefused { try connection.count(Counter.where { $0.n > 6 }) }
        expectRefused { try connection.count(Counter.where { $0.n.between(5, and: .max) }) }
        expectRefused { try connection.count(Counter.where { $0.m < 6 }) }
        expectRefused { try connection.all(Counter.query.order { $0.n.descending }) }
        expectRefused { try connection.first(Counter.query.select { $0.n.max() }) }
        expectRefused { try connection.first(Counter.query.select { $0.n + 1 }) }
    }

    /// `IN` with an array and with a list, beside each affinity.
    @Test func arraysAndLists() throws {
        let connection = try Connection()
        let types = ["TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB", "", "TEXT COLLATE NOCASE"]
        let columns = types.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
        try connection.run("CREATE TABLE t(\(raw: columns))")
        let values: [BindingValue] = [
            .null, .integer(5), .real(5), .real(1.5), .text("5"), .text("5.0"), .text("a"), .text("A"),
            .blob(Data("5".utf8)),
        ]
        for value in values {
            let row = types.map { _ in "\(value)" as SQL }.joined(separator: ", ")
            try connection.run("INSERT INTO t VALUES(\(row))")
        }
        for index in types.indices {
            for first in values {
                for second in values {
                    let list = [first, second]
                    for word in ["IN", "not in", "In\n"] {
                        let array: [Int] = try connection.query(
                            "SELECT rowid FROM t WHERE c\(raw: "\(index) \(word)") \(array: list) ORDER BY 1")
                        let plain: [Int] = try connection.query(
                            "SELECT rowid FROM t WHERE c\(raw: "\(index) \(word)") (\(first), \(second)) ORDER BY 1")
                        #expect(array == plain, "\(types[index]) \(word) \(list)")
                    }
                }
            }
        }
        // A name that ends with the letters.
        try connection.run("CREATE TABLE origin(value)")
        #expect(try connection.query("SELECT count(*) FROM origin, \(array: [1, 2])") == 0)
        #expect(try connection.query("SELECT 5 IN\(array: [5]), (4)IN\(array: [5])") { try $0.get(0) + $0.get(1) } == 1)
    }

    /// A planned table and a table of SQLite.
    @Test func numbersBesideTextOfAPlannedTable() throws {
        let connection = try Connection()
        try connection.register(named: "words") { _ in Words() }
        try connection.execute(
            "CREATE TABLE plain(word TEXT); INSERT INTO plain VALUES('5'), ('5.0'), ('1.5'), ('five'), ('-3')")
        for condition in [
            "= 5", "= 5.0", "= 1.5", "= '5'", "IN (5)", "IN (5, 1.5, 'five')", "IN (SELECT 5)", "= -3", "= x'35'",
            "= NULL",
            "IN (5.0, NULL)",
        ] {
            let planned: [String] = try connection.query(
                "SELECT word FROM words WHERE word \(raw: condition) ORDER BY 1")
            let plain: [String] = try connection.query("SELECT word FROM plain WHERE word \(raw: condition) ORDER BY 1")
            #expect(planned == plain, "\(condition)")
        }
    }

    private struct Tagged: TableRecord, Equatable {
        let id: Int64?
        let tags: [String]?
        static let table = Table("tagged", Tagged.init) {
            Column("id", \Tagged.id, .primaryKey)
            Column("tags", \Tagged.tags, as: .json)
        }
    }

    /// JSON of other programs.
    @Test func nullInJSON() throws {
        let connection = try Connection()
        try connection.create(Tagged.table)
        try connection.execute(
            "INSERT INTO tagged VALUES(1, NULL), (2, 'null'), (3, ' null '), (4, '[\"a\"]'), (5, '{}'), (6, '')")
        for id in 1...3 { #expect(try connection.find(Tagged.self, Int64(id)) == Tagged(id: Int64(id), tags: nil)) }
        #expect(try connection.find(Tagged.self, 4)?.tags == ["a"])
        for id: Int64 in [5, 6] {
            let error = #expect(throws: ConversionError.self) { try connection.find(Tagged.self, id) }
            #expect(error?.reason == .unacceptable && error?.decodingError != nil)
        }
    }

    private struct Code: TableRecord, Equatable {
        let id: Int64?
        let code: String
        static let table = Table("codes", Code.init) {
            Column("id", \Code.id, .primaryKey)
            Column("code", \Code.code)
        }
    }

    /// The stored value of a type of several storage classes.
    @Test func aCastToNoType() throws {
        let connection = try Connection()
        try connection.create(Code.table)
        try connection.insert(Code(id: 1, code: "12"))
        let value = try connection.first(Code.query.select { $0.code.cast(to: BindingValue.self) })
        #expect(value == .some(.text("12")))
        let number = try connection.first(Code.query.select { $0.code.cast(to: Int.self) })
        #expect(number == 12)
    }
}
