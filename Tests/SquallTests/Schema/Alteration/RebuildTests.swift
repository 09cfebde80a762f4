import Foundation
import Squall
import SquallTestSupport
import Testing

/// What a rebuild must not touch or lose.
struct RebuildTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private func migrate(@ListBuilder<any SchemaStep> steps: () -> [any SchemaStep]) throws {
        try Schema("s") { Version(1, steps: steps) }.migrate(connection)
    }

    private func rows(_ sql: SQL) throws -> [String] {
        try connection.query(sql) { $0.valuesText }
    }

    /// SQLite folds ASCII letters only, and knows nothing of Unicode's ways to encode a letter.
    @Test func columnsThatOnlyUnicodeTakesForOneAreTwo() throws {
        for (first, second) in [("é", "É"), ("\u{e9}", "e\u{301}"), ("ß", "SS"), ("ı", "I")] {
            let connection = try Connection(":memory:")
            try connection.execute("CREATE TABLE t(\(name: first) TEXT, \(name: second) TEXT, x TEXT)")
            try connection.run("INSERT INTO t VALUES('first', 'second', 'x')")
            let schema = Schema("s") {
                Version(1) { AlterTable("t") { ChangeColumn("x", to: String.self) } }
                Version(2) {
                    AlterTable("t") {
                        RenameColumn("x", to: "y")
                        AddColumn("both", String.self, fillingWith: "\(name: first) || \(name: second) || x")
                        DropColumn(first)
                    }
                }
            }
            try schema.migrate(connection, to: 1)
            #expect(try connection.query("SELECT * FROM t") { $0.valuesText } == ["['first', 'second', 'x']"])
            try schema.migrate(connection)
            #expect(try connection.query("SELECT * FROM t") { $0.valuesText } == ["['second', 'x', 'firstsecondx']"])
        }
    }

    @Test func aColumnThatWasRenamedAndDroppedIsForgotten() throws {
        try connection.execute("CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 2, 3)")
        try migrate {
            AlterTable("t") {
                RenameColumn("a", to: "gone")
                DropColumn("gone")
                RenameColumn("b", to: "kept")
                AddColumn("sum", Int.self, fillingWith: "b + kept + c")
            }
        }
        #expect(try rows("SELECT * FROM t") == ["[2, 3, 7]"])
    }

    @Test func anAutoincrementTableThatNeverHadARowHasNoMark() throws {
        try connection.execute(
            """
            CREATE TABLE never(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT);
            CREATE TABLE lower(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT);
            INSERT INTO lower VALUES(1002, 'x'); UPDATE sqlite_sequence SET seq = 5
            """
        )
        try migrate {
            AlterTable("never") { ChangeColumn("b", to: String.self) }
            AlterTable("lower") { ChangeColumn("b", to: String.self) }
        }
        #expect(try rows("SELECT name, seq FROM sqlite_sequence") == ["['lower', 5]"])
    }

    @Test func aRecreatedTableFiresNoTrigger() throws {
        try connection.execute(
            """
            CREATE TABLE other(x); INSERT INTO other VALUES(1), (2);
            CREATE TABLE users(id INTEGER PRIMARY KEY); INSERT INTO users VALUES(1);
            CREATE TRIGGER cascade AFTER DELETE ON users BEGIN DELETE FROM other; END;
            CREATE TRIGGER keep BEFORE DELETE ON users BEGIN SELECT raise(IGNORE); END
            """
        )
        let table = TableDefinition(
            name: "users",
            columns: [
                ColumnDefinition(name: "id", type: "INTEGER", primaryKey: .init()),
                ColumnDefinition(name: "name", type: "TEXT", notNull: .init()),
            ]
        )
        let plan = try connection.plan(toMatch: [table])
        #expect(try plan.apply(allowing: [.columns, .tables]) == ["users": .droppedAndRecreated])
        #expect(try connection.count("users") == 0)
        #expect(try connection.count("other") == 2)
        #expect(try connection.tableInfo("users")?.triggers.map(\.name) == ["cascade", "keep"])
    }

    /// A name that only the library knows tells the user nothing.
    @Test(arguments: [
        ("UNIQUE", "UNIQUE constraint failed: t.b"), ("CHECK (b > 1)", "CHECK constraint failed: b > 1"),
        ("NOT NULL", "NOT NULL constraint failed: t.b"),
    ]) func rowsThatDoNotFitAreReportedInTheUsersWords(_ constraint: String, _ message: String) throws {
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 1), (2, 1), (3, NULL)")
        let schema = Schema("s") {
            Version(7) { AlterTable("t") { ChangeColumn("b", sql: SQL(raw: "INTEGER \(constraint)")) } }
        }
        let error = try #require(throws: SQLiteError.self) { try schema.migrate(connection) }
        #expect(error.resultCode == .constraint)
        #expect(error.message == "\(message) (version 7, AlterTable t)")
        #expect(error.hint?.contains("the rows of \"t\" do not fit its new definition") == true)
        #expect(!"\(error.sql ?? "")".contains("squall_new"))
    }

    @Test func rowsThatDoNotFitADeclaredTableToo() throws {
        try connection.execute("CREATE TABLE t(b); INSERT INTO t VALUES(1), (1)")
        let table = TableDefinition(name: "t", columns: [ColumnDefinition(name: "b", unique: .init())])
        let plan = try connection.plan(toMatch: [table])
        let error = try #require(throws: (any Error).self) { try plan.apply() }
        #expect(!"\(error)".contains("squall_new"))
        #expect(try connection.count("t") == 2)
    }
}
