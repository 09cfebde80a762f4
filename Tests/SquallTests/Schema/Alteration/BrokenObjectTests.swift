import Squall
import Testing

/// Views and triggers that a file has broken already: they neither hide what a version breaks, nor keep it from its work.
struct BrokenObjectTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE t(a, b, c); CREATE TABLE o(x); CREATE TABLE gone(y);
            CREATE VIEW old AS SELECT y FROM gone;
            CREATE TRIGGER old_do INSTEAD OF UPDATE ON old BEGIN SELECT 1; END;
            CREATE TRIGGER old_too AFTER INSERT ON o BEGIN INSERT INTO gone VALUES(1); END;
            DROP TABLE gone
            """
        )
    }

    private func migrate(@ListBuilder<any SchemaStep> steps: () -> [any SchemaStep]) throws {
        try Schema("s") { Version(1, steps: steps) }.migrate(connection)
    }

    @Test(arguments: [
        ("CREATE VIEW v AS SELECT c FROM t", "error in view v: no such column: c (version 1)"),
        ("CREATE VIEW old2 AS SELECT c FROM t", "error in view old2: no such column: c (version 1)"),
        (
            "CREATE TRIGGER g AFTER INSERT ON o BEGIN UPDATE t SET c = 1; END",
            "error in trigger g: no such column: c (version 1)"
        ),
        (
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT new.c; END",
            "error in trigger g: no such column: new.c (version 1)"
        ),
        (
            "CREATE TRIGGER g AFTER UPDATE OF a, c ON t BEGIN SELECT 1; END",
            "error in trigger g: no such column: c (version 1)"
        ),
        (
            "CREATE TEMP TRIGGER g AFTER DELETE ON o BEGIN SELECT c FROM t; END",
            "error in trigger g: no such column: c (version 1)"
        ),
    ]) func oneThatWasBrokenHidesNoOther(_ sql: String, _ message: String) throws {
        try connection.execute(SQL(raw: sql))
        let before = try connection.schemaDefinition()
        #expect(throws: SchemaError.inUse(message)) { try migrate { AlterTable("t") { DropColumn("c") } } }
        #expect(try connection.schemaDefinition() == before)
    }

    @Test func unrelatedWorkGoesOn() throws {
        let broken = try connection.schemaDefinition()
        try migrate {
            AlterTable("t") {
                AddColumn("d", String.self, fillingWith: "'x'")
                DropColumn("b")
            }
            DropTable("t")
        }
        let after = try connection.schemaDefinition()
        #expect(after.views == broken.views)
        #expect(after.tables.first { $0.name == "o" } == broken.tables.first { $0.name == "o" })
    }

    /// SQLite refuses to rename anything while a view is broken.
    @Test func renamingGoesOn() throws {
        try connection.execute("CREATE VIEW v AS SELECT a FROM t")
        let broken = try connection.schemaDefinition()
        try migrate {
            AlterTable("t") { RenameColumn("a", to: "first") }
            RenameTable("t", to: "u")
        }
        let after = try connection.schemaDefinition()
        #expect(
            try connection.query("SELECT sql FROM sqlite_master WHERE name = 'v'")
                == #"CREATE VIEW v AS SELECT "first" FROM "u""#)
        #expect(after.views.filter { $0.name != "v" } == broken.views.filter { $0.name != "v" })
        #expect(after.tables.first { $0.name == "o" } == broken.tables.first { $0.name == "o" })
    }

    @Test func aViewWithInsteadOfTriggersOfOneKindIsSound() throws {
        try connection.execute(
            """
            CREATE VIEW v AS SELECT a, c FROM t;
            CREATE TRIGGER v_update INSTEAD OF UPDATE ON v BEGIN UPDATE t SET c = new.c; END
            """
        )
        let message = "error in trigger v_update: no such column: c (version 1)"
        let error = #expect(throws: SchemaError.self) {
            try migrate {
                DropView("v")
                CreateView("v", as: "SELECT a, b AS c FROM t")
                CreateTrigger("v_update", "INSTEAD OF UPDATE ON v BEGIN UPDATE t SET c = new.c; END")
                AlterTable("t") { DropColumn("c") }
            }
        }
        #expect(error == SchemaError.inUse(message))
    }

    @Test func ofTwoThatAStepBreaksTheFirstIsNamed() throws {
        try connection.execute("CREATE VIEW w AS SELECT c FROM t; CREATE VIEW v AS SELECT c FROM t")
        #expect(throws: SchemaError.inUse("error in view v: no such column: c (version 1)")) {
            try migrate { AlterTable("t") { DropColumn("c") } }
        }
    }

    /// SQLite keeps a TEMP trigger of a database that was detached, and renames no table beside it.
    @Test(arguments: ["INSERT", "UPDATE OF a"]) func aTemporaryTriggerOfADatabaseThatIsGone(_ event: String) throws {
        try connection.execute(
            """
            ATTACH ':memory:' AS more; CREATE TABLE more.x(a);
            CREATE TEMP TRIGGER g AFTER \(raw: event) ON more.x BEGIN SELECT 1; END; DETACH more
            """)
        let before = try connection.schemaDefinition()
        let error = #expect(throws: SQLiteError.self) { try migrate { AlterTable("t") { DropColumn("b") } } }
        #expect(error?.message.contains("error in trigger g: no such table: more.x") == true)
        #expect(try connection.schemaDefinition() == before)
    }
}
