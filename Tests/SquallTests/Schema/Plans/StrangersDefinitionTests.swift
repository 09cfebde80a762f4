import Squall
import SquallTestSupport
import Testing

/// Definitions that come from elsewhere, such as the file of a stranger, in plans for a database of the program.
///
/// A plan looks for rows that the new definition refuses. It may not do for the definition what the schema could not.
struct StrangersDefinitionTests {
    private static let definitions: [TableDefinition] = [
        definition { $0.columns[1].checks = [.init(condition: "spy(b) > 5")] },
        definition { $0.constraints = [TableConstraint(.check("a + spy(b) > 5"))] },
        definition {
            $0.columns.append(
                ColumnDefinition(name: "c", type: "INT", defaultValue: "(spy(1))", checks: [.init(condition: "c > 0")]))
        },
        definition {
            $0.indexes = [IndexDefinition(name: "i", table: "t", columns: [.expression("spy(a)")], isUnique: true)]
        },
        definition {
            $0.indexes = [IndexDefinition(name: "i", table: "t", columns: ["a"], isUnique: true, condition: "spy(b)")]
        },
        definition { $0.columns[1].checks = [.init(condition: "b IN (SELECT spy(key) FROM secrets)")] },
    ]

    private static func definition(_ change: (inout TableDefinition) -> Void) -> TableDefinition {
        var table = TableDefinition(
            name: "t", columns: [ColumnDefinition(name: "a", type: "INT"), ColumnDefinition(name: "b", type: "INT")])
        change(&table)
        return table
    }

    private static func database(_ configuration: Configuration = .recommended) throws -> Connection {
        let connection = try Connection(":memory:", configuration: configuration)
        try connection.execute(
            """
            CREATE TABLE t(a INT, b INT); INSERT INTO t VALUES(1, 2), (1, 3); CREATE TABLE secrets(key); INSERT INTO secrets VALUES(7)
            """)
        return connection
    }

    @Test(arguments: definitions.indices) func aDirectFunctionIsNotCalled(_ index: Int) throws {
        let connection = try Self.database()
        var calls = 0
        try connection.addFunction("spy", deterministic: true) { (value: BindingValue) in
            calls += 1
            return 1
        }
        let plan = try connection.plan(toMatch: [Self.definitions[index]])
        _ = (plan.description, plan.losses)
        #expect(calls == 0)
        #expect(throws: (any Error).self) { try plan.apply() }
        #expect(calls == 0)
        #expect(try connection.query("SELECT b FROM t ORDER BY b") == [2, 3])
    }

    @Test(arguments: definitions.indices) func anUntrustedSchemaCallsNoOtherFunctionEither(_ index: Int) throws {
        let connection = try Self.database(.untrusted)
        var calls = 0
        try connection.addFunction("spy", deterministic: true, directOnly: false) { (value: BindingValue) in
            calls += 1
            return 1
        }
        _ = try connection.plan(toMatch: [Self.definitions[index]]).description
        #expect(calls == 0)
    }

    @Test func anotherTableIsNotRead() throws {
        let connection = try Self.database()
        let definition = Self.definition { $0.columns[1].checks = [.init(condition: "b IN (SELECT key FROM secrets)")] }
        let plan = try connection.plan(toMatch: [definition])
        #expect(throws: SQLiteError.self) { try plan.apply() }
    }

    /// What the schema may call, the plan calls to find the rows that do not fit.
    @Test func anInnocuousFunctionFindsTheRowsThatDoNotFit() throws {
        let connection = try Self.database(.untrusted)
        try connection.addFunction("spy", deterministic: true, innocuous: true) { (value: Int) in value }
        let plan = try connection.plan(toMatch: [Self.definitions[0]])
        #expect(throws: SchemaError.self) { try plan.apply() }
    }

    /// SQLite does not read a schema whose CHECK or DEFAULT calls such a function.
    @Test func planningAChangeOfAStrangersFileDoesNotCallItsCHECK() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("stranger.db")
        do {
            let stranger = try Connection(path, configuration: .sqlite)
            try stranger.addFunction("spy", deterministic: true, directOnly: false) { (value: Int) in value }
            try stranger.execute(
                """
                CREATE TABLE t(a INT, b INT CHECK (spy(b) > 0), c INT DEFAULT (spy(1)));
                INSERT INTO t(a, b) VALUES(1, 2)
                """)
        }
        let connection = try Connection(path, mode: .existing, configuration: .untrusted)
        var calls = 0
        try connection.addFunction("spy", deterministic: true, directOnly: false) { (value: Int) in
            calls += 1
            return value
        }
        let error = try sqliteError { _ = try connection.plan(toMatch: [Self.definitions[0]]) }
        #expect(error.message.contains("unsafe use of spy()"))
        #expect(calls == 0)
    }
}
