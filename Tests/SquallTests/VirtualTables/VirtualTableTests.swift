import Squall
import SquallTestSupport
import Testing

/// Registering modules, and the tables that SQL makes of them.
struct VirtualTableTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private struct Words: VirtualTable {
        let words: [Substring]

        init(_ arguments: TableArguments) throws { words = try arguments.required("text").split(separator: " ") }

        let columns = [VirtualColumn<Substring>("word") { $0 }]

        func rows(_ scan: borrowing Scan) -> [Substring] { words }
    }

    private struct Days: VirtualTable {
        init(_ arguments: TableArguments) {}

        let columns = [VirtualColumn<String>("day") { $0 }]

        func rows(_ scan: borrowing Scan) -> [String] { ["Monday", "Tuesday"] }
    }

    @Test func aModuleIsATableOfItsName() throws {
        try connection.register(Days.self, named: "days")
        let days: [String] = try connection.query("SELECT day FROM days ORDER BY day DESC")
        #expect(days == ["Tuesday", "Monday"])
        #expect(try connection.query("SELECT rowid FROM days WHERE day = 'Tuesday'") == 2)
    }

    @Test func sqlCreatesTablesWithArguments() throws {
        try connection.register(Words.self, named: "words")
        try connection.execute("CREATE VIRTUAL TABLE temp.poem USING words(x, text = 'to  be or''s', [y])")
        let words: [String] = try connection.query("SELECT word FROM poem")
        #expect(words == ["to", "be", "or's"])
        let error = try sqliteError { try connection.execute("CREATE VIRTUAL TABLE other USING words") }
        #expect(error.message == "words needs the argument text")
        #expect(
            try sqliteError { try connection.run("SELECT * FROM words") }.message == "words needs the argument text")
    }

    @Test func argumentsAreTheTextBetweenTheCommas() throws {
        var seen: TableArguments?
        try connection.register(named: "m", use: .created) { (arguments: TableArguments) in
            seen = arguments
            return Squares()
        }
        try connection.execute("CREATE VIRTUAL TABLE main.\"T x\" USING m(a, 'b, c', key = \"v\"\"w\", k2=[z], k3=`y`)")
        let arguments = try #require(seen)
        #expect(arguments.values == ["a", "'b, c'", "key = \"v\"\"w\"", "k2=[z]", "k3=`y`"])
        #expect([arguments.module, arguments.database, arguments.table] == ["m", "main", "T x"])
        #expect(["KEY", "k2", "k3", "k4"].map { arguments[$0] } == ["v\"w", "z", "y", nil])
        #expect(arguments.isCreation)
    }

    @Test func creationIsToldFromConnecting() throws {
        let directory = try TemporaryDirectory()
        var isCreation: [Bool] = []
        let open = { () throws -> Connection in
            let connection = try Connection(directory.file("a.db"))
            try connection.register(named: "m", use: .created) { (arguments: TableArguments) in
                isCreation.append(arguments.isCreation)
                return Squares()
            }
            return connection
        }
        try open().execute("CREATE VIRTUAL TABLE t USING m")
        #expect(try open().query("SELECT count(*) FROM t") == 100)
        #expect(isCreation == [true, false])
    }

    @Test func theUseOfAModuleIsKept() throws {
        try connection.register(Days.self, named: "by_name", use: .eponymous)
        try connection.register(Days.self, named: "by_create", use: .created)
        #expect(try connection.query("SELECT count(*) FROM by_name") == 2)
        #expect(
            try sqliteError { try connection.execute("CREATE VIRTUAL TABLE t USING by_name") }.message
                == "no such module: by_name")
        #expect(
            try sqliteError { try connection.run("SELECT * FROM by_create") }.message == "no such table: by_create")
        try connection.execute("CREATE VIRTUAL TABLE t USING by_create")
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }

    @Test func theSchemaOfAStrangerCannotMakeTablesOfAnEponymousModule() throws {
        let directory = try TemporaryDirectory()
        let stranger = try Connection(directory.file("a.db"))
        try stranger.register(Words.self, named: "words")
        try stranger.execute("CREATE VIRTUAL TABLE evil USING words(text='x')")
        let connection = try Connection(directory.file("a.db"))
        try connection.register(Words.self, named: "words", use: .eponymous)
        #expect(try sqliteError { try connection.run("SELECT * FROM evil") }.message == "no such module: words")
    }

    @Test(arguments: ["INT, b INT", "INT); DROP TABLE x; --", "HIDDEN", "INT NOT NULL", "1", "x\0"])
    func textThatIsNoTypeIsAnError(type: String) throws {
        struct Typed: TableSource {
            let type: String
            var columns: [VirtualColumn<Int>] { [VirtualColumn("a", type: type) { $0 }] }
            func rows(_ scan: borrowing Scan) -> [Int] { [1] }
        }
        try connection.register(named: "t") { _ in Typed(type: type) }
        #expect(
            try sqliteError { try connection.run("SELECT * FROM t") }.message
                == "\(type) is not the type of a column, for a")
        try connection.register(named: "t") { _ in Typed(type: "DECIMAL (10, 5)") }
        #expect(try connection.query("SELECT a FROM t") == 1)
    }

    @Test func aDropReachesTheTable() throws {
        final class Stored: TableSource {
            var drops = 0
            let columns = [VirtualColumn<Int>("a") { $0 }]
            func rows(_ scan: borrowing Scan) -> [Int] { [1] }
            func drop() throws {
                drops += 1
                if drops == 1 { throw ScanError.three }
            }
        }
        let stored = Stored()
        try connection.register(named: "m", use: .created) { _ in stored }
        try connection.execute("CREATE VIRTUAL TABLE t USING m")
        #expect(throws: ScanError.three) { try connection.execute("DROP TABLE t") }
        #expect(try connection.query("SELECT count(*) FROM t") == 1)
        try connection.execute("DROP TABLE t")
        #expect(stored.drops == 2)
        #expect(try sqliteError { try connection.run("SELECT * FROM t") }.message == "no such table: t")
    }

    @Test func triggersAndViewsUseOnlyModulesThatAllowIt() throws {
        try connection.register(Days.self, named: "direct")
        try connection.register(Days.self, named: "anywhere", directOnly: false)
        try connection.register(Days.self, named: "harmless", innocuous: true)
        try connection.execute(
            """
            CREATE VIEW v1 AS SELECT day FROM direct; CREATE VIEW v2 AS SELECT day FROM anywhere;
            CREATE VIEW v3 AS SELECT day FROM harmless
            """
        )
        #expect(
            try sqliteError { try connection.run("SELECT * FROM v1") }.message
                == "unsafe use of virtual table \"direct\"")
        try connection.execute("PRAGMA trusted_schema = 1")
        #expect(try connection.query("SELECT count(*) FROM v2") == 2)
        #expect(try connection.query("SELECT count(*) FROM v3") == 2)
        try connection.execute("PRAGMA trusted_schema = 0")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM v2") }
        #expect(try connection.query("SELECT count(*) FROM v3") == 2)
    }

    @Test func columnsHaveTypesAndCollations() throws {
        try connection.register(named: "squares") { _ in Squares() }
        #expect(try connection.query("SELECT n FROM squares WHERE square = '25'") == 5)
        #expect(try connection.query("SELECT count(*) FROM squares WHERE name = 'NAME 5'") == 9)
        let types: [String] = try connection.query("SELECT type FROM pragma_table_xinfo('squares') ORDER BY cid")
        #expect(types == ["INTEGER", "INTEGER", "TEXT"])
        #expect(try connection.query("SELECT group_concat(typeof(name)) FROM squares WHERE n IN (6, 7)") == "text,null")
    }

    @Test func modulesCanBeReplacedAndRemoved() throws {
        try connection.register(named: "t") { _ in Squares(3) }
        #expect(try connection.query("SELECT count(*) FROM t") == 3)
        try connection.register(named: "T") { _ in Squares(5) }
        #expect(try connection.query("SELECT count(*) FROM t") == 5)
        try connection.removeModule(named: "t")
        #expect(try sqliteError { try connection.run("SELECT count(*) FROM t") }.message == "no such table: t")
        try connection.removeModule(named: "t")
    }

    @Test func aModuleReleasesTheObjectsOfItsClosure() throws {
        final class Owner {}
        weak var owner: Owner?
        do {
            let made = Owner()
            owner = made
            try connection.register(named: "t") { [made] _ in
                withExtendedLifetime(made) { Squares(3) }
            }
        }
        #expect(try connection.query("SELECT count(*) FROM t") == 3)
        #expect(owner != nil)
        connection.close()
        #expect(owner == nil)
    }

    @Test func namesOfAllKindsAreNames() throws {
        struct Odd: TableSource {
            let columns = [VirtualColumn<Int>("a \"b\" [c]; --") { $0 }, VirtualColumn("select") { -$0 }]
            func rows(_ scan: borrowing Scan) -> [Int] { [1, 2] }
        }
        try connection.register(named: "my \"module\"") { _ in Odd() }
        let rows: [Row] = try connection.query("SELECT * FROM \"my \"\"module\"\"\"")
        #expect(
            rows.map { $0.columns.map(\.name) } == [["a \"b\" [c]; --", "select"], ["a \"b\" [c]; --", "select"]])
        #expect(throws: SQLiteError.self) { try connection.register(named: "a\0b") { _ in Odd() } }
    }

    @Test func wrongColumnsAreErrors() throws {
        struct Declared: TableSource {
            let names: [String]
            var columns: [VirtualColumn<Int>] { names.map { VirtualColumn($0) { $0 } } }
            func rows(_ scan: borrowing Scan) -> [Int] { [] }
        }
        for (names, message) in [
            ([], "a virtual table needs a column"),
            (["a", "A"], "a virtual table has two columns of the same name"),
        ] as [([String], String)] {
            try connection.register(named: "t") { _ in Declared(names: names) }
            #expect(try sqliteError { try connection.run("SELECT * FROM t") }.message == message)
        }
        try connection.register(named: "t") { _ in Declared(names: ["a\0b"]) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM t") }
    }

    @Test func aTableWithoutAnActionOfItsOwnIsDropped() throws {
        try connection.register(named: "m", use: .created) { _ in Squares(3) }
        try connection.execute("CREATE VIRTUAL TABLE t USING m; DROP TABLE t")
        #expect(try sqliteError { try connection.run("SELECT * FROM t") }.message == "no such table: t")
    }

    @Test func aScanHasOnlyTheParametersOfItsTable() throws {
        struct Asking: TableSource {
            let columns = [VirtualColumn<Int>("a") { $0 }, .parameter("count", isRequired: false)]
            func rows(_ scan: borrowing Scan) throws -> [Int] { [try scan.parameter("size") ?? 1] }
        }
        try connection.register(named: "asking") { _ in Asking() }
        let error = try sqliteError { try connection.run("SELECT * FROM asking") }
        #expect((error.resultCode, error.message) == (.misuse, "asking has no parameter size"))
    }
}

enum ScanError: Error {
    case three
}
