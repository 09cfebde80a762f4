import Foundation
import Squall
import SquallTestSupport
import Testing

/// Altering tables; the weaknesses of Squeal that Squall has not, by their numbers.
struct AlterationTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    /// Runs steps after some SQL.
    private func alter(_ setUp: SQL, @ListBuilder<any SchemaStep> steps: () -> [any SchemaStep]) throws {
        try connection.execute(setUp)
        try Schema("s") { Version(1, steps: steps) }.migrate(connection)
    }

    private func sql(_ name: String) throws -> String? {
        try connection.query("SELECT sql FROM sqlite_master WHERE name = ?", name)
    }

    private func rows(_ sql: SQL) throws -> [String] {
        try connection.query(sql) { $0.valuesText }
    }

    @Test func s1TriggersAndIndexesStay() throws {
        try alter(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c TEXT);
            CREATE UNIQUE INDEX i ON t(lower(b), c DESC) WHERE b > 'a';
            CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET c = 'seen' WHERE a = new.a; END;
            CREATE TEMP TRIGGER h AFTER DELETE ON t BEGIN SELECT 1; END;
            INSERT INTO t VALUES(5, 'x', 'y')
            """
        ) {
            AlterTable("t") { ChangeColumn("b", to: String.self) }
        }
        #expect(try sql("t") == #"CREATE TABLE "t"("a" INTEGER PRIMARY KEY, "b" TEXT NOT NULL, "c" TEXT)"#)
        #expect(try sql("i") == "CREATE UNIQUE INDEX i ON t(lower(b), c DESC) WHERE b > 'a'")
        try connection.execute("INSERT INTO t VALUES(6, 'z', NULL)")
        let found = try rows("SELECT * FROM t")
        #expect(found == ["[5, 'x', 'seen']", "[6, 'z', 'seen']"])
        #expect(try connection.query("SELECT name FROM sqlite_temp_master") == "h")
    }

    @Test func s1ATriggerOfADroppedColumnIsAnError() throws {
        for (trigger, message) in [
            ("AFTER INSERT ON t BEGIN UPDATE t SET b = 1; END", "error in trigger g: no such column: b"),
            ("AFTER INSERT ON t BEGIN SELECT new.b; END", "error in trigger g: no such column: new.b"),
            ("AFTER UPDATE OF a, b ON t BEGIN SELECT 1; END", "error in trigger g: no such column: b"),
        ] {
            try connection.execute("DROP TABLE IF EXISTS t; CREATE TABLE t(a, b UNIQUE)")
            try connection.execute("CREATE TRIGGER g \(raw: trigger)")
            #expect(throws: SchemaError.inUse("\(message) (version 1)")) {
                try alter("") { AlterTable("t") { DropColumn("b") } }
            }
            #expect(try sql("t") == "CREATE TABLE t(a, b UNIQUE)")
        }
        try alter("") {
            DropTrigger("g")
            AlterTable("t") { DropColumn("b") }
        }
        #expect(try sql("t") == #"CREATE TABLE "t"("a")"#)
    }

    @Test func s2ViewsAndTriggersOfOtherTablesStay() throws {
        try alter(
            """
            CREATE TABLE t(a, b); CREATE TABLE u(x); CREATE VIEW v AS SELECT a FROM t;
            CREATE TRIGGER g AFTER INSERT ON u BEGIN INSERT INTO t(a) VALUES(new.x); END
            """
        ) {
            AlterTable("t") { ChangeColumn("b", to: Int?.self, .check("b > 0")) }
        }
        try connection.execute("INSERT INTO u VALUES(4)")
        #expect(try connection.query("SELECT a FROM v") == 4)
        #expect(try connection.query("PRAGMA legacy_alter_table") == 0)
    }

    @Test func s2AViewThatWasBrokenBeforeIsTolerated() throws {
        try alter("CREATE TABLE t(a, b); CREATE VIEW v AS SELECT nope FROM t") {
            AlterTable("t") { ChangeColumn("b", to: Int?.self) }
        }
        #expect(try sql("v") == "CREATE VIEW v AS SELECT nope FROM t")
    }

    @Test func s3ForeignKeysAreOnAfterAFailure() throws {
        #expect(throws: SQLiteError.self) {
            try alter("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, NULL)") {
                AlterTable("t") { ChangeColumn("b", to: Int.self) }
            }
        }
        #expect(try connection.hasForeignKeysOn())
        #expect(!connection.isInTransaction)
        #expect(try sql("t") == "CREATE TABLE t(a, b)")
    }

    @Test(arguments: [true, false]) func s4TheAutoincrementMarkStays(hasRows: Bool) throws {
        try alter(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT); INSERT INTO t VALUES(1, 'x'), (9, 'y');
            DELETE FROM t WHERE a > \(hasRows ? 1 : 0)
            """
        ) {
            AlterTable("t") { ChangeColumn("b", to: String.self) }
        }
        #expect(try connection.insert(into: "t", ["b": "z"]) == 10)
    }

    @Test func s5NewOrphansAreNamedAndOldOnesTolerated() throws {
        try connection.execute(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE p(id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE c(p INTEGER REFERENCES p(id));
            INSERT INTO p VALUES(1, 'a'), (2, 'b'); INSERT INTO c VALUES(1), (2), (77);
            PRAGMA foreign_keys = ON
            """
        )
        let bad = Schema("s") {
            Version(1) {
                Execute { try $0.delete(from: "p", where: "id = 2") }
                AlterTable("p") { ChangeColumn("n", to: String.self) }
            }
        }
        let error = try #require(throws: SchemaError.self) { try bad.migrate(connection) }
        guard case .foreignKeysViolated(let orphans, "c", "p") = error else { return #expect(Bool(false), "\(error)") }
        #expect(orphans.map(\.rowID) == [2])
        #expect(
            error.description
                == "foreign keys are violated: 1 row of \"c\" refers to a row of \"p\" that is not there (rowid 2)"
        )
        #expect(try connection.count("p") == 2)
        try Schema("s") {
            Version(1) {
                AlterTable("p") { ChangeColumn("n", to: String.self) }
                RenameTable("p", to: "parents")
            }
        }.migrate(connection)
        #expect(try connection.count("c") == 3)
        #expect(try sql("c") == #"CREATE TABLE c(p INTEGER REFERENCES "parents"(id))"#)
    }

    @Test func s5DroppingATableDoesNotCascade() throws {
        let error = try #require(throws: SchemaError.self) {
            try alter(
                """
                CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES p(id) ON DELETE CASCADE);
                INSERT INTO p VALUES(1); INSERT INTO c VALUES(1)
                """
            ) { DropTable("p") }
        }
        guard case .foreignKeysViolated(_, "c", "p") = error else { return #expect(Bool(false), "\(error)") }
        #expect(try connection.count("c") == 1)
        try alter("") {
            DropTable("p")
            DropTable("c")
        }
    }

    @Test func s7AllMistakesAreReportedTogether() throws {
        let schema = Schema("s") {
            Version(1) {
                CreateTable("a") { ColumnDef("x", Int.self) }
                CreateTable("a") { ColumnDef("x", Int.self) }
                CreateIndex("i", on: "a", "nope")
                AlterTable("gone") { DropColumn("x") }
            }
            Version(2) {
                AlterTable("a") { DropColumn("y") }
                AlterTable("a") { AddColumn("x", Int.self) }
                DropIndex("j")
                RenameIndex("k", to: "l")
                CreateTable("c") { ColumnDef("x", Int.self, .references("a", "x")) }
            }
        }
        let error = try #require(throws: SchemaError.self) { try schema.verify() }
        #expect(
            error.description == """
                version 1, CreateTable a: table "a" already exists
                version 1, CreateIndex i: there is no column "a"."nope"
                version 1, AlterTable gone: there is no table "gone"
                version 2, AlterTable a: there is no column "a"."y"
                version 2, AlterTable a: the column "a"."x" already exists
                version 2, DropIndex j: there is no index "j"
                version 2, RenameIndex k: there is no index "k"
                version 2: foreign key mismatch - "c" referencing "a"
                """
        )
        try SchemaTests.contacts.verify()
    }

    @Test func s10AColumnNamedOrder() throws {
        try alter("") {
            CreateTable("group") {
                ColumnDef("order", Int.self); ColumnDef("select", String?.self)
            }
            CreateIndex("index", on: "group", "order")
            AlterTable("group") { ChangeColumn("select", to: String.self, .default("it's")) }
        }
        #expect(
            try sql("group")
                == #"CREATE TABLE "group"("order" INTEGER NOT NULL, "select" TEXT NOT NULL DEFAULT 'it''s')"#
        )
        #expect(try sql("index") == #"CREATE INDEX "index" ON "group"("order")"#)
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func s11ResettingAFileWithFullTextSearch() throws {
        try connection.execute("CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE f_own(a); PRAGMA user_version = 1")
        let schema = Schema("s") { Version(1) {} }
        #expect(try schema.migrate(connection, to: 0))
        #expect(try connection.tableNames() == [])
    }

    @Test func s15StrictWithoutRowIDGeneratedForeignKeys() throws {
        try alter("") {
            CreateTable("p", .strict, .withoutRowID) {
                ColumnDef("a", Int.self, .primaryKey)
                ColumnDef("b", Int.self, .primaryKey)
            }
            CreateTable("c", .foreignKey("a", "b", references: "p", ["a", "b"], onDelete: .cascade)) {
                ColumnDef("a", Int.self)
                ColumnDef("b", Int.self)
                ColumnDef("sum", Int?.self, .generated("a + b", stored: true))
                ColumnDef("day", String.self, .default(sql: "CURRENT_TIMESTAMP"))
            }
            AlterTable("c") { ChangeColumn("a", to: Int.self, .check("a > 0")) }
        }
        #expect(
            try sql("p") == """
                CREATE TABLE "p"("a" INTEGER NOT NULL, "b" INTEGER NOT NULL, PRIMARY KEY ("a", "b")) STRICT, WITHOUT ROWID
                """
        )
        try connection.execute("INSERT INTO p VALUES(1, 2); INSERT INTO c(a, b) VALUES(1, 2)")
        #expect(try connection.query("SELECT sum FROM c") == 3)
    }

    @Test func aDefaultFillsTheOldRows() throws {
        try alter("CREATE TABLE t(a); INSERT INTO t VALUES(1)") {
            AlterTable("t") {
                ChangeColumn("a", to: Int.self)
                AddColumn("b", Int.self, .default(7))
                AddColumn("c", String?.self)
                AddColumn("d", sql: "TEXT NOT NULL DEFAULT (upper('x'))")
            }
        }
        #expect(try rows("SELECT * FROM t") == ["[1, 7, NULL, 'X']"])
    }

    @Test func aColumnWithoutValueIsRefusedOnlyWhereThereAreRows() throws {
        let step = AlterTable("t") { AddColumn("b", Int.self) }
        try alter("CREATE TABLE t(a)") { step }
        #expect(try sql("t") == #"CREATE TABLE "t"("a", "b" INTEGER NOT NULL)"#)
        try connection.execute("CREATE TABLE u(a); INSERT INTO u VALUES(1)")
        let schema = Schema("u") { Version(1) { AlterTable("u") { AddColumn("b", Int.self) } } }
        let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect(error.description.contains("fillingWith"))
    }

    @Test func renamedColumnsAreCarriedThroughAndOldNamesFill() throws {
        try alter(
            """
            CREATE TABLE t(name TEXT CHECK (name <> ''), other TEXT); CREATE INDEX i ON t(name);
            CREATE TABLE c(n REFERENCES t(name)); CREATE VIEW v AS SELECT name FROM t; INSERT INTO t VALUES('Bo', 'x')
            """
        ) {
            AlterTable("t") {
                RenameColumn("name", to: "full")
                RenameColumn("other", to: "name")
                AddColumn("slug", String.self, fillingWith: "lower(name)")
                AddColumn("both", String.self, fillingWith: "full || other")
            }
        }
        #expect(try rows("SELECT \"full\", name, slug, both FROM t") == ["['Bo', 'x', 'bo', 'Box']"])
        #expect(try sql("i") == #"CREATE INDEX i ON t("full")"#)
        #expect(try sql("v") == #"CREATE VIEW v AS SELECT "full" FROM t"#)
        #expect(try sql("c") == #"CREATE TABLE c(n REFERENCES t("full"))"#)
    }

    @Test func columnsOfTheSameNameAreNotMistaken() throws {
        try alter("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2)") {
            AlterTable("t") {
                DropColumn("a")
                AddColumn("a", String.self, fillingWith: "a || '!'")
                DropColumn("b")
                AddColumn("b", Int.self, .default(9))
            }
        }
        #expect(try rows("SELECT a, b FROM t") == ["['1!', 9]"])
    }

    @Test func rowIDsStay() throws {
        try alter("CREATE TABLE t(a); INSERT INTO t(rowid, a) VALUES(3, 'x'), (1000, 'y')") {
            AlterTable("t") { ChangeColumn("a", to: String.self) }
        }
        #expect(try rows("SELECT rowid, a FROM t") == ["[3, 'x']", "[1000, 'y']"])
        let keyed = Schema("k") { Version(1) { AlterTable("t") { AddColumn("id", Int64.self, .primaryKey) } } }
        try keyed.migrate(connection)
        #expect(try rows("SELECT id, a FROM t") == ["[3, 'x']", "[1000, 'y']"])
    }

    @Test func aConflictClauseLeavesNoRowOut() throws {
        #expect(throws: SQLiteError.self) {
            try alter("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 1), (1, 2), (NULL, 3)") {
                AlterTable("t") {
                    ChangeColumn("a", sql: "INTEGER NOT NULL ON CONFLICT IGNORE UNIQUE ON CONFLICT REPLACE")
                }
            }
        }
        #expect(try connection.count("t") == 3)
    }

    @Test func constraintsByNameAndByClause() throws {
        try alter("CREATE TABLE t(a, b, CONSTRAINT u UNIQUE (a), check(a<b), UNIQUE(a, b))") {
            AlterTable("t") {
                DropConstraint(named: "u")
                DropConstraint("CHECK (a < b)")
                AddConstraint(.check("a > b"), named: "k")
            }
        }
        #expect(try sql("t") == #"CREATE TABLE "t"("a", "b", UNIQUE ("a", "b"), CONSTRAINT "k" CHECK (a > b))"#)
        let rest = Schema("r") { Version(1) { AlterTable("t") { DropConstraint.all } } }
        try rest.migrate(connection)
        #expect(try sql("t") == #"CREATE TABLE "t"("a", "b")"#)
    }

    @Test func aDroppedColumnMustNotBeUsed() throws {
        try connection.execute("CREATE TABLE t(a, b, c AS (b + 1), CHECK (a > 0)); CREATE INDEX i ON t(a) WHERE b > 1")
        for (column, what) in [("a", "a constraint of \"t\""), ("b", "the column \"c\"")] {
            let schema = Schema("s") { Version(1) { AlterTable("t") { DropColumn(column) } } }
            let message = "the column \"t\".\"\(column)\" is used by \(what): drop that first (version 1, AlterTable t)"
            #expect(throws: SchemaError.inUse(message)) { try schema.migrate(connection) }
        }
    }

    @Test func nativeStatementsWhereSQLiteCan() throws {
        let setUp: SQL = "CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 2, 3)"
        try connection.execute(setUp)
        let schema = Schema("s") {
            Version(1) {
                AlterTable("t") { AddColumn("d", Int.self, .default(4)) }
                AlterTable("t") { DropColumn("b") }
                AlterTable("t") { RenameColumn("c", to: "e") }
                RenameTable("t", to: "u")
            }
        }
        #expect(
            try schema.dryRun(connection).map(\.text).prefix(4) == [
                #"ALTER TABLE main."t" ADD COLUMN "d" INTEGER NOT NULL DEFAULT 4"#,
                #"ALTER TABLE main."t" DROP COLUMN "b""#, #"ALTER TABLE main."t" RENAME COLUMN "c" TO "e""#,
                #"ALTER TABLE main."t" RENAME TO "u""#,
            ]
        )
        try schema.migrate(connection)
        #expect(try rows("SELECT a, e, d FROM u") == ["[1, 3, 4]"])
    }

    @Test func statisticsStay() throws {
        try alter("CREATE TABLE t(a, b); CREATE INDEX i ON t(a); INSERT INTO t VALUES(1, 2); ANALYZE") {
            AlterTable("t") { ChangeColumn("b", to: Int.self) }
        }
        #expect(try connection.query("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 't' AND idx = 'i'") == 1)
    }

    @Test(arguments: [
        "CREATE TABLE t(a INTEGER CONSTRAINT x PRIMARY KEY ON CONFLICT ABORT AUTOINCREMENT, b varchar ( 3 ) default -1.5)",
        "CREATE TABLE IF NOT EXISTS [t] ('a' int null, b collate nocase unique, check (a > 1), CHECK (b > 'x' collate binary))",
        "CREATE TABLE t(a REFERENCES t, b, FOREIGN KEY (b) REFERENCES T(a) MATCH FULL ON UPDATE SET DEFAULT, UNIQUE(b DESC, a))",
        "CREATE TABLE t(a text constraint k not null constraint d default ('x' || 'y') check(a<>''), b as (a) stored) -- end",
        "CREATE TABLE t(b, a, primary key(a collate nocase desc, b)) without rowid, strict",
    ]) func whateverSQLTheTableHas(_ text: String) throws {
        let text = text.replacing("without rowid, strict", with: "without rowid")
        let filling: SQL? = text.contains("stored") ? nil : "1"
        try alter(SQL(raw: text)) { AlterTable("t") { ChangeColumn("b", fillingWith: filling) } }
        #expect(try connection.schemaDefinition().tables.map(\.name).contains("t"))
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aVirtualTableIsNotRebuilt() throws {
        let message = "\"f\" is a virtual table, which cannot be altered (version 1, AlterTable f)"
        #expect(throws: SchemaError.invalid([message])) {
            try alter("CREATE VIRTUAL TABLE f USING fts5(x)") { AlterTable("f") { ChangeColumn("x", to: String.self) } }
        }
    }

    @Test func aConstraintThatTheTableDoesNotHaveIsNotDropped() throws {
        let byName = try #require(throws: SchemaError.self) {
            try alter("CREATE TABLE t(a, b)") { AlterTable("t") { DropConstraint(named: "u") } }
        }
        #expect("\(byName)".contains(#"constraint "u" of "t""#))
        let byClause = try #require(throws: SchemaError.self) {
            try alter("") { AlterTable("t") { DropConstraint("CHECK (a < b)") } }
        }
        #expect("\(byClause)".contains(#"constraint CHECK (a < b) of "t""#))
        #expect(try sql("t") == "CREATE TABLE t(a, b)")
    }

    @Test func statisticsOfATableWithoutIndexesStay() throws {
        try alter("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2); ANALYZE") {
            AlterTable("t") { ChangeColumn("b", to: Int.self) }
        }
        // The migration has added those of its history.
        #expect(try rows("SELECT tbl, idx, stat FROM sqlite_stat1 WHERE tbl = 't'") == ["['t', NULL, '1']"])
    }
}
