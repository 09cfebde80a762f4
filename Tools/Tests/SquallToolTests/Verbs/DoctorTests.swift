import Foundation
import Squall
import Testing

@Suite struct DoctorTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The lines of a database that is otherwise well, with these grades.
    private func lines(
        _ script: SQL, _ grades: Set<String> = ["problem", "warning"], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let path = try directory.database(script)
        let before = try directory.bytes("test.db")
        let outcome = try await Tool.run("doctor", path, "--format", "csv")
        #expect(outcome.error == "", sourceLocation: sourceLocation)
        #expect(try directory.bytes("test.db") == before, sourceLocation: sourceLocation)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let isWell = !lines.contains { $0.hasPrefix("problem,") || $0.hasPrefix("warning,") }
        #expect(outcome.exitCode == (isWell ? 0 : 1), sourceLocation: sourceLocation)
        return lines.dropFirst().filter { line in grades.contains { line.hasPrefix($0 + ",") } }
    }

    @Test func indexesOfNamesInTwoUnicodeFormsAreNotRedundant() async throws {
        let script: SQL = """
            CREATE TABLE t(a INTEGER PRIMARY KEY, "\u{E9}", "e\u{301}");
            CREATE INDEX one ON t("\u{E9}"); CREATE INDEX two ON t("e\u{301}", a)
            """
        #expect(try await lines(script, ["note"]).filter { $0.hasPrefix("note,index,") } == [])
    }

    @Test(arguments: SampleSchema.allCases)
    func sampleSchemasAreWell(schema: SampleSchema) async throws {
        let path = try directory.database(schema)
        let outcome = try await Tool.run("doctor", path)
        #expect(outcome.exitCode == 0 && outcome.error == "")
        #expect(!outcome.output.contains("problem") && !outcome.output.contains("warning"))
        #expect(outcome.output.contains(" parts work, also without double-quoted strings and without trust\n"))
        #expect(outcome.output.contains(" keys, each with an index\n"))
        #expect(try directory.files() == ["\(schema).db"])
    }

    @Test func eachLineHasItsGradeAndItsCure() async throws {
        let path = try directory.database(
            "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p)")
        let outcome = try await Tool.run("doctor", path)
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.output.hasPrefix(
                """
                warning  foreign key: c: p → p has no index: to delete a row of p, SQLite reads the whole table
                         cure: CREATE INDEX c_p ON c(p)

                """))
        #expect(outcome.output.hasSuffix("\n1 warning, 2 notes\n") || outcome.output.hasSuffix("\n1 warning, 1 note\n"))
    }

    @Test func aForeignKeyMustHaveAParentAndAnIndex() async throws {
        let lines = try await lines(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, code, u UNIQUE, a, b, UNIQUE(b, a));
            CREATE UNIQUE INDEX part ON p(code) WHERE code > 1;
            CREATE VIEW v AS SELECT id FROM p;
            CREATE TABLE c(
                id INTEGER PRIMARY KEY, a REFERENCES p, b REFERENCES p(code), c REFERENCES none, d REFERENCES v(id),
                e REFERENCES p(none), f REFERENCES p(u), x, y,
                FOREIGN KEY (x, y) REFERENCES p(a, b), FOREIGN KEY (x, y) REFERENCES p
            );
            CREATE INDEX c_a ON c(a) WHERE a IS NOT NULL;
            CREATE INDEX c_x ON c(x, y)
            """)
        #expect(
            lines == [
                "problem,foreign key,c,b → p(code): its columns are neither UNIQUE nor the primary key; changes of the "
                    + "table fail,CREATE UNIQUE INDEX p_code ON p(code)",
                "problem,foreign key,c,c → none: there is no such table; inserts fail where foreign keys are checked,"
                    + "\"create the table, or drop the key\"",
                "problem,foreign key,c,d → v(id): it is not a table but a view,refer to a table",
                "problem,foreign key,c,e → p(none): there is no column none,"
                    + "name a column that is UNIQUE or the primary key",
                "problem,foreign key,c,\"(x, y) → p: the primary key of the table has 1 columns\","
                    + "name as many columns as the key has",
                "warning,foreign key,c,\"f → p(u) has no index: to delete a row of p, SQLite reads the whole table\","
                    + "CREATE INDEX c_f ON c(f)",
            ])
    }

    @Test func stringsInDoubleQuotesAreFoundEverywhere() async throws {
        let lines = try await lines(
            """
            CREATE TABLE t(a PRIMARY KEY, b CHECK (b <> "x"));
            CREATE INDEX i ON t("lit");
            CREATE INDEX sound ON t(a, b);
            CREATE VIEW v AS SELECT "hello" AS a FROM t;
            CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET b = "ok"; END;
            CREATE TRIGGER h AFTER INSERT ON t BEGIN UPDATE t SET b = 'ok'; END;
            CREATE VIEW sound_view AS SELECT a FROM t;
            CREATE TRIGGER w INSTEAD OF DELETE ON sound_view BEGIN DELETE FROM t WHERE a = "gone"; END
            """)
        let starts = ["table,t", "index,i", "view,v", "trigger,g", "trigger,w"].map { "warning,\($0),\"has a string " }
        #expect(lines.count == starts.count && zip(lines, starts).allSatisfy { $0.hasPrefix($1) })
    }

    @Test func brokenViewsAndTriggersAreProblems() async throws {
        let lines = try await lines(
            """
            CREATE TABLE t(a PRIMARY KEY);
            CREATE VIEW v AS SELECT * FROM missing;
            CREATE VIEW w AS SELECT nothere FROM t;
            CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO missing VALUES(new.a); END;
            CREATE TRIGGER h AFTER DELETE ON t BEGIN SELECT old.b; END
            """)
        #expect(
            lines == [
                "problem,view,v,no such table: main.missing,\"DROP VIEW v, or make what is missing\"",
                "problem,view,w,no such column: nothere,\"DROP VIEW w, or make what is missing\"",
                "problem,trigger,g,no such table: main.missing,\"DROP TRIGGER g, or make what is missing\"",
                "problem,trigger,h,no such column: old.b,\"DROP TRIGGER h, or make what is missing\"",
            ])
    }

    @Test func functionsThatTheSchemaShouldNotCallAreFound() async throws {
        let path = directory.path("test.db")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.addFunction("own", deterministic: true, directOnly: false) { (a: Int) in a }
        try connection.execute(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY, b AS (own(a)));
            CREATE VIEW v AS SELECT own(a) FROM t;
            CREATE VIEW u AS SELECT load_extension(a) AS a FROM t
            """)
        connection.close()
        let outcome = try await Tool.run("doctor", path, "--format", "csv")
        let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("problem") || $0.hasPrefix("warning") }
        #expect(outcome.exitCode == 1)
        #expect(lines.contains { $0.hasPrefix("problem,view,u,unsafe use of load_extension(),") })
        for object in ["table,t", "view,v"] {
            let start = "warning,\(object),works only in programs that add something to SQLite: no such function: own,"
            #expect(lines.contains { $0.hasPrefix(start) }, "\(lines)")
        }
    }

    @Test func whatCouldBeBetterIsANote() async throws {
        let lines = try await lines(
            """
            PRAGMA page_size = 512;
            CREATE TABLE t(a, b, c UNIQUE);
            CREATE INDEX short ON t(a); CREATE INDEX long ON t(a, b);
            CREATE INDEX other ON t(a DESC); CREATE INDEX text ON t(a COLLATE NOCASE); CREATE INDEX part ON t(a) WHERE b;
            CREATE INDEX same ON t(c);
            INSERT INTO t VALUES(1, 2, 3)
            """, ["note"])
        let subjects = lines.map {
            $0.split(separator: ",", omittingEmptySubsequences: false).prefix(3).joined(separator: ",")
        }
        #expect(
            Set(subjects).subtracting(["note,SQLite,"]) == [
                "note,journal,", "note,page size,", "note,primary key,t", "note,index,short", "note,index,same",
                "note,statistics,",
            ])
    }

    @Test func freePagesAreANote() async throws {
        let lines = try await lines(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY, b);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            INSERT INTO t SELECT i, zeroblob(4000) FROM n;
            DELETE FROM t
            """, ["note"])
        #expect(
            lines.contains {
                $0.hasPrefix("note,free pages,,40") && $0.hasSuffix(",\"VACUUM, which returns them to the disk\"")
            })
    }

    @Test func aLogIsExaminedAndLeftAlone() async throws {
        let path = try directory.database("PRAGMA journal_mode = WAL; CREATE TABLE t(a INTEGER PRIMARY KEY)")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.run("INSERT INTO t VALUES(1)")
        // What a crash leaves: the file and its log.
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + end, toPath: directory.path("crashed.db" + end))
        }
        let log = try directory.bytes("crashed.db-wal")
        let outcome = try await Tool.run("doctor", directory.path("crashed.db"))
        #expect(outcome.error == "" && outcome.output.contains("ok       journal: mode wal\n"))
        #expect(outcome.output.contains("log: 4.2 kB in the write-ahead log\n"), "\(outcome.output)")
        #expect(try directory.bytes("crashed.db-wal") == log)

        let other = try directory.database("PRAGMA page_size = 8192; CREATE TABLE o(a)", name: "other.db")
        try log.write(to: URL(fileURLWithPath: other + "-wal"))
        let orphan = try await Tool.run("doctor", other)
        #expect(orphan.exitCode == 1)
        #expect(orphan.output.hasPrefix("problem  log: the file -wal does not belong to the database"))
        connection.close()
    }
}
