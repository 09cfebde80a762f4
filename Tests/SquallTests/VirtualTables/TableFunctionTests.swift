import Foundation
import Squall
import SquallTestSupport
import Testing

struct TableFunctionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    @Test func rowsOfOneColumnAreValues() throws {
        try connection.addTableFunction("split", columns: "part") { (text: String, by: String) in
            text.split(separator: by)
        }
        let parts: [String] = try connection.query("SELECT part FROM split('a,b,,c', ',')")
        #expect(parts == ["a", "b", "c"])
        #expect(try connection.query("SELECT typeof(part) FROM split('1', ',')") == "text")
    }

    @Test func rowsMayBeArrays() throws {
        try connection.addTableFunction("split", columns: "part") { (text: String, by: String) in
            text.split(separator: by).lazy.map { [$0] }
        }
        let parts: [String] = try connection.query("SELECT part FROM split('a,b,c', ',')")
        #expect(parts == ["a", "b", "c"])
        try connection.addTableFunction("pairs", columns: "a", "b") { (count: Int) in
            (0..<count).map { [BindingValue.integer(Int64($0)), .text("t\($0)")] }
        }
        let rows: [Row] = try connection.query("SELECT * FROM pairs(2)")
        #expect(rows.map(\.valuesText) == ["[0, 't0']", "[1, 't1']"])
        try connection.addTableFunction("uneven", columns: "a", "b") { [[1, 2], [3]] }
        let error = try sqliteError { let _: [Row] = try connection.query("SELECT * FROM uneven()") }
        #expect(error.message == "uneven() returned a row of 1 values for 2 columns")
    }

    @Test func rowsOfSeveralColumnsAreTuples() throws {
        try connection.addTableFunction("letters", columns: "position", "letter", "is_vowel") { (text: String) in
            text.enumerated().map { ($0.offset, String($0.element), "aeiou".contains($0.element)) }
        }
        let rows: [Row] = try connection.query("SELECT * FROM letters('hi') ORDER BY position DESC")
        #expect(rows.map(\.valuesText) == ["[1, 'i', 1]", "[0, 'h', 0]"])
    }

    @Test func columnsHaveTheTypesOfTheirValues() throws {
        try connection.addTableFunction("typed", columns: "a", "b", "c", "d") {
            [(1, "x" as String?, Data([1]), 1.5)]
        }
        let types: [String] = try connection.query("SELECT type FROM pragma_table_info('typed') ORDER BY cid")
        #expect(types == ["INTEGER", "TEXT", "BLOB", "REAL"])
        #expect(try connection.query("SELECT count(*) FROM typed() WHERE a = '1'") == 1)
    }

    @Test func sqliteReadsAsManyRowsAsItNeeds() throws {
        var made = 0
        try connection.addTableFunction("naturals", columns: "n") {
            sequence(first: 1) { (last: Int) -> Int? in
                made += 1
                return last + 1
            }
        }
        let few: [Int] = try connection.query("SELECT n FROM naturals() LIMIT 3")
        #expect(few == [1, 2, 3])
        #expect(made <= 3)
    }

    @Test func argumentsMayBeOfAllTypesAndLeftOutIfOptional() throws {
        try connection.addTableFunction("shown", columns: "text") { (a: Int, b: String?, c: Data?) in
            ["\(a) \(b ?? "-") \(c?.count ?? -1)"]
        }
        for (call, text) in [
            ("shown(1, 'x', x'0102')", "1 x 2"), ("shown(1, 'x')", "1 x -1"), ("shown(1)", "1 - -1"),
            ("shown(1, NULL, NULL)", "1 - -1"),
        ] {
            #expect(try connection.query("SELECT text FROM \(raw: call)") == text, "\(call)")
        }
        #expect(
            try sqliteError { try connection.run("SELECT * FROM shown()") }.message
                == "shown needs a value for argument1")
        let error = try sqliteError { try connection.run("SELECT * FROM shown(1, 2)") }
        #expect(error.message == "shown(), argument 2: expected String, found INTEGER 2")
        #expect(error.resultCode == .mismatch)
        #expect(
            try sqliteError { try connection.run("SELECT * FROM shown(1, 'a', x'', 4)") }.message
                == "too many arguments on shown() - max 3")
    }

    /// For an `OR`, SQLite asks for plans of its branches, which do not have the arguments.
    @Test func rowsAreChosenByAlternatives() throws {
        try connection.addTableFunction("split", columns: "part") { (text: String) in text.split(separator: ",") }
        try connection.execute(
            "CREATE TABLE t(a TEXT PRIMARY KEY, b); INSERT INTO t VALUES('x', 1), ('y', 2), ('z', 3)")
        #expect(try connection.query("SELECT part FROM split('a,b,c') WHERE part = 'a' OR part = 'c'") == ["a", "c"])
        let joined: [String] = try connection.query(
            "SELECT part FROM split('w,x,y,z'), t WHERE (part = a AND b < 3) OR part = 'w' GROUP BY part")
        #expect(joined == ["w", "x", "y"])
        let unknown = try sqliteError { try connection.run("SELECT part FROM split WHERE part = 'a' OR part = 'c'") }
        #expect(unknown.message == "split needs a value for argument1")
    }

    @Test func argumentsMayComeFromOtherTables() throws {
        try connection.addTableFunction("split", columns: "part") { (text: String) in text.split(separator: ",") }
        try connection.execute("CREATE TABLE t(a TEXT); INSERT INTO t VALUES('x,y'), (''), ('z')")
        let rows: [Row] = try connection.query("SELECT a, part FROM t, split(t.a) ORDER BY 1, 2")
        #expect(rows.map(\.valuesText) == ["['x,y', 'x']", "['x,y', 'y']", "['z', 'z']"])
        let left: [Row] = try connection.query("SELECT a, part FROM t LEFT JOIN split(t.a) ORDER BY 1, 2")
        #expect(left.map(\.valuesText) == ["['', NULL]", "['x,y', 'x']", "['x,y', 'y']", "['z', 'z']"])
        #expect(try connection.query("SELECT (SELECT count(*) FROM split(t.a)) FROM t WHERE a = 'x,y'") == 2)
        let nulls = try sqliteError { try connection.run("SELECT * FROM split(NULL)") }
        #expect(nulls.message == "split(), argument 1: expected String, found NULL")
    }

    @Test func errorsAreThrownOn() throws {
        struct Refusal: Error, Equatable {}
        try connection.addTableFunction("refuse", columns: "a") { (at: Int) -> ThrowingRows<Int> in
            if at == 0 { throw Refusal() }
            var next = 0
            return ThrowingRows {
                next += 1
                if next == at { throw Refusal() }
                return next
            }
        }
        for at in [0, 1, 5] {
            #expect(throws: Refusal(), "\(at)") { try connection.run("SELECT * FROM refuse(?)", at) }
        }
    }

    @Test func theNumberOfNamesIsThatOfTheValues() throws {
        #expect(throws: SQLiteError.self) { try connection.addTableFunction("f", columns: "a") { [(1, 2)] } }
        #expect(throws: SQLiteError.self) {
            let rows: [[Int]] = []
            try connection.addTableFunction("f") { rows }
        }
        #expect(throws: SQLiteError.self) { try connection.addTableFunction("f\0", columns: "a") { [1] } }
        try connection.addTableFunction("f", columns: "a") { [1] }
        try connection.addTableFunction("f", columns: "a") { [2] }
        #expect(try connection.query("SELECT a FROM f()") == 2)
        try connection.removeModule(named: "f")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT a FROM f()") }
    }

    @Test func hugeAndOddValuesPass() throws {
        let text = String(repeating: "é", count: 1_000_000)
        try connection.addTableFunction("echo", columns: "a") { (value: BindingValue) in [value] }
        #expect(try connection.query("SELECT a FROM echo(?)", text) == text)
        #expect(try connection.query("SELECT hex(a) FROM echo(?)", "a\0b") == "610062")
        #expect(try connection.query("SELECT hex(a) FROM echo(CAST(x'61ff' AS BLOB))") == "61FF")
        #expect(try connection.query("SELECT a FROM echo(9223372036854775807)") == Int64.max)
        #expect(try connection.query("SELECT a IS NULL FROM echo(?)", nil as String?) == true)
    }

    @Test func theRowsOfOtherArgumentsHaveOtherRowIDs() throws {
        try connection.addTableFunction("count_to", columns: "n") { (count: Int) in Array(0..<count) }
        func rowIDs(_ count: Int) throws -> [Int64] { try connection.query("SELECT rowid FROM count_to(?)", count) }
        let ids = try rowIDs(3)
        #expect(ids == [ids[0], ids[0] &+ 1, ids[0] &+ 2])
        #expect(try rowIDs(3) == ids)
        #expect(try rowIDs(4).first != ids[0])
    }

    @Test func anArgumentThatIsLeftOutIsNULL() throws {
        try connection.addTableFunction("shown", columns: "text") { (a: Int, b: String?) in ["x"] }
        let rows: [Row] = try connection.query("SELECT argument1, argument2 FROM shown(1)")
        #expect(rows.map(\.valuesText) == ["[1, NULL]"])
    }
}
