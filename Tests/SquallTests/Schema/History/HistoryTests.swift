import Squall
import Testing

/// The history of a file tells the truth: no version is missed silently, and an error tells where it was thrown.
struct HistoryTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private func schema(_ numbers: Int...) -> Schema {
        Schema("s") {
            for number in numbers { Version(number) { CreateTable("t\(number)") { ColumnDef("a", Int.self) } } }
        }
    }

    @Test func aVersionThatWasMergedInLaterIsAnError() throws {
        try schema(1, 3).migrate(connection)
        let merged = schema(1, 2, 3, 4)
        #expect(throws: SchemaError.skippedVersions([2])) { try merged.migrate(connection) }
        #expect(throws: SchemaError.skippedVersions([2])) { try merged.dryRun(connection) }
        let status = try merged.status(of: connection)
        #expect(status.version == 3 && status.pending == [4] && status.skipped == [2] && !status.isUpToDate)
        #expect(try !schema(1, 3, 4).status(of: connection).isUpToDate)
        let same = try schema(1, 2, 3).status(of: connection)
        #expect(same.version == same.latest && same.skipped == [2] && !same.isUpToDate)
        #expect(SchemaError.skippedVersions([2]).description.contains("version 2"))
        #expect(try connection.tableNames() == ["squall_versions", "t1", "t3"])
    }

    @Test func skippedVersionsRunOnRequest() throws {
        try schema(2, 5).migrate(connection)
        let merged = schema(1, 2, 3, 4, 5, 6)
        #expect(throws: SchemaError.unreachableVersion(3, from: 5)) {
            try merged.migrate(connection, to: 3, options: .runSkippedVersions)
        }
        #expect(try connection.tableNames() == ["squall_versions", "t2", "t5"], "nothing has run")
        #expect(try merged.migrate(connection, to: 5, options: .runSkippedVersions))
        #expect(try connection.tableNames() == ["squall_versions", "t1", "t2", "t3", "t4", "t5"])
        #expect(try connection.userVersion == 5, "it does not go back")
        #expect(try merged.status(of: connection).skipped == [])
        #expect(try merged.migrate(connection))
        #expect(try merged.status(of: connection).isUpToDate)
    }

    @Test func whatAnotherLibraryHasRunIsNotSkipped() throws {
        try connection.setUserVersion(2)
        try schema(1, 2, 3).migrate(connection)
        #expect(try connection.tableNames() == ["squall_versions", "t3"])
        // Squeal goes on, and Squall after it.
        try connection.setUserVersion(5)
        try schema(1, 2, 3, 4, 5, 6).migrate(connection)
        #expect(try schema(1, 2, 3, 4, 5, 6).status(of: connection).isUpToDate)
        #expect(try connection.tableNames() == ["squall_versions", "t3", "t6"])
    }

    @Test func aProgramOlderThanTheFileThrowsUnlessToldOtherwise() throws {
        try schema(1, 2).migrate(connection)
        let old = schema(1)
        #expect(throws: SchemaError.newerFile(version: 2, latest: 1)) { try old.migrate(connection) }
        #expect(try !old.migrate(connection, options: .acceptNewerFiles))
        #expect(try connection.tableNames() == ["squall_versions", "t1", "t2"])
    }

    @Test(arguments: [
        "INSERT INTO log VALUES(1); COMMIT; DROP TABLE log", "ROLLBACK", "BEGIN", "END TRANSACTION", "/* x */ commit",
    ]) func aStepCannotEndItsTransaction(_ script: String) throws {
        let steps: [any SchemaStep] = [
            Execute(SQL(raw: script)), Execute { try $0.execute(SQL(raw: script)) },
            Execute { try $0.transaction {} },
        ]
        for step in steps {
            let connection = try Connection(":memory:")
            try connection.execute("CREATE TABLE log(x)")
            let schema = Schema("s") {
                Version(1) {
                    CreateTable("t") { ColumnDef("a", Int.self) }
                    step
                }
            }
            let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
            #expect(error.description.hasSuffix("(use savepoint) (version 1, Execute)"))
            #expect(try connection.tableNames() == ["log"])
            #expect(try connection.count("log") == 0)
            #expect(!connection.isInTransaction)
            try connection.transaction {}
        }
    }

    @Test func aStepMayUseSavepoints() throws {
        let schema = Schema("s") {
            Version(1) {
                Execute("CREATE TABLE t(a); SAVEPOINT x; INSERT INTO t VALUES(1); ROLLBACK TO x; RELEASE x")
                Execute { connection in
                    try connection.savepoint(named: "y") { try connection.run("INSERT INTO t VALUES(2)") }
                }
            }
        }
        try schema.migrate(connection)
        #expect(try connection.query("SELECT a FROM t") == 2)
    }

    @Test func errorsTellTheVersionAndTheStep() throws {
        let schema = Schema("s") { Version(3) { Execute("INSERT INTO nowhere VALUES(1)") } }
        let error = try #require(throws: SQLiteError.self) { try schema.migrate(connection) }
        #expect(error.message == "no such table: nowhere (version 3, Execute)")
        let other = Schema("s") { Version(4) { AlterTable("nowhere") { DropColumn("a") } } }
        #expect(throws: SchemaError.notFound("table \"nowhere\" (version 4, AlterTable nowhere)")) {
            try other.migrate(connection)
        }
    }

    @Test func scratchDatabasesAreLikeTheOneTheyAreAbout() throws {
        let schema = Schema("s") {
            Version(1) {
                Execute("CREATE TABLE t(a COLLATE numeric, b DEFAULT (twice(1)))")
                Execute("INSERT INTO t(a) VALUES(twice(21)); CREATE INDEX i ON t(a)")
                Execute("CREATE VIEW v AS SELECT twice(a) AS a FROM t")
                AlterTable("t") { AddColumn("c", Int.self, fillingWith: "twice(a)") }
            }
        }
        func prepare(_ connection: Connection) throws {
            try connection.addFunction("twice", deterministic: true, directOnly: false) { (a: Int) in 2 * a }
            try connection.addCollation("numeric") { $0.count < $1.count ? .orderedAscending : .orderedSame }
        }
        #expect(throws: SchemaError.self) { try schema.verify() }
        var configuration = Configuration.recommended
        configuration.trustedSchema = true
        try schema.verify(configuration: configuration, preparation: prepare)
        let drift = try schema.drift(from: [], configuration: configuration, preparation: prepare)
        #expect(drift.isEmpty)
        configuration.trustedSchema = false
        #expect(throws: SchemaError.self) { try schema.verify(configuration: configuration, preparation: prepare) }
    }

    @Test func aDryRunEnforcesForeignKeysUnlessATableIsDropped() throws {
        let schema = { (drops: Bool) in
            Schema("s") {
                Version(1) {
                    Execute(
                        """
                        CREATE TABLE parents(id INTEGER PRIMARY KEY);
                        CREATE TABLE children(id INTEGER PRIMARY KEY, parent REFERENCES parents(id) ON DELETE CASCADE);
                        INSERT INTO parents VALUES(7);
                        INSERT INTO children VALUES(1, 7)
                        """)
                }
                Version(2) { Execute("DELETE FROM parents; INSERT INTO children VALUES(1, NULL)") }
                if drops { Version(3) { DropTable("children") } }
            }
        }
        #expect(try schema(false).dryRun(connection).map(\.text).contains { $0.contains("DELETE FROM parents") })
        let error = #expect(throws: SQLiteError.self) { try schema(true).dryRun(connection) }
        #expect(error?.message.contains("UNIQUE constraint failed: children.id") == true)
        #expect(try schema(true).migrate(connection))
    }
}
