import Foundation
import Squall
import SquallTestSupport
import Testing

/// Files whose names, types, defaults, checks, indexes, triggers and views are SQL that nobody may run.
///
/// Whatever the library does with such a file, nothing but the tables that it was asked about changes: it may refuse them.
struct HostileFileTests {
    /// What an attacker would like to run.
    static func payloads(_ directory: TemporaryDirectory) -> [String] {
        let file = directory.file("pwned.db")
        return [
            "DROP TABLE victim", "DELETE FROM victim", "COMMIT; DROP TABLE victim; BEGIN",
            "UPDATE victim SET x = 'gone'",
            "ATTACH '\(file)' AS p; CREATE TABLE p.owned(x)", "VACUUM INTO '\(file)'", "CREATE TABLE planted(x)",
            "PRAGMA user_version = 666", "PRAGMA writable_schema = ON", "ROLLBACK; DROP TABLE victim",
            "CREATE TRIGGER planted AFTER INSERT ON victim BEGIN DELETE FROM victim; END",
        ]
    }

    @Test(arguments: ["INT); DROP TABLE victim; COMMIT; --", "INT); COMMIT; DROP TABLE victim; --"])
    func aTypeNameThatIsAScriptDoesNotRun(_ type: String) throws {
        let connection = try Connection(":memory:")
        try connection.execute(
            "CREATE TABLE victim(x); INSERT INTO victim VALUES('alive'); CREATE TABLE t(a \(name: type), b TEXT)"
        )
        let schema = Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: String.self) } } }
        _ = try? schema.dryRun(connection)
        #expect(try connection.tableNames() == ["t", "victim"])
        _ = try? schema.migrate(connection)
        let table = TableDefinition(name: "u", columns: [ColumnDefinition(name: "a", type: type)])
        _ = try? connection.sync([table])
        #expect(try Set(connection.tableNames()).isSubset(of: ["t", "u", "victim", "squall_versions"]))
        #expect(try connection.query("SELECT x FROM victim") == "alive")
    }

    @Test(arguments: [
        "CREATE TRIGGER g AFTER INSERT ON squall_versions BEGIN DELETE FROM victim; END",
        """
        ALTER TABLE squall_versions RENAME TO other; CREATE VIEW squall_versions AS SELECT * FROM other;
        CREATE TRIGGER g INSTEAD OF INSERT ON squall_versions BEGIN DELETE FROM victim; END
        """,
    ])
    func aTriggerOfTheHistoryDoesNotRun(_ attack: String) throws {
        for configuration in [Configuration.recommended, .untrusted] {
            let connection = try Connection(":memory:", configuration: configuration)
            try connection.execute(
                """
                CREATE TABLE victim(x); INSERT INTO victim VALUES('alive');
                CREATE TABLE squall_versions(schema TEXT NOT NULL, version INTEGER NOT NULL, checksum TEXT, applied_at TEXT,
                    PRIMARY KEY(schema, version));
                \(raw: attack);
                CREATE TABLE schema_migrations(version, migration_timestamp);
                CREATE TRIGGER h AFTER INSERT ON schema_migrations BEGIN DELETE FROM victim; END;
                """
            )
            let schema = Schema("s") { Version(1) { CreateTable("q") { ColumnDef("a", Int.self) } } }
            #expect(throws: SchemaError.self) { try schema.migrate(connection) }
            #expect(throws: SchemaError.self) { try schema.dryRun(connection) }
            let migrator = Migrator(connection: connection, desiredSchemaVersion: 1)
            #expect(throws: SchemaError.self) {
                try migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion: { _ in "CREATE TABLE q(a)" })
            }
            #expect(try connection.query("SELECT x FROM victim") == "alive")
            #expect(try connection.tableNames().contains("q") == false)
        }
    }

    @Test func wordsThatOnlyUnicodeTakesForOthersAreThoseOfSQLite() throws {
        // `$` and a combining mark are one Character, and a parameter for SQLite: the text after it is part of its name.
        let parameter = TableDefinition(
            name: "t", columns: [ColumnDefinition(name: "a", type: "INT", defaultValue: SQL(raw: "$\u{301}x(')"))]
        )
        #expect(throws: SchemaError.self) { try Connection(":memory:").sync([parameter]) }
        // A byte order mark is space for SQLite.
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE t(a INT \u{feff}CHECK (a > 0), b INT)")
        let schema = Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: String?.self) } } }
        #expect(try schema.migrate(connection))
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t(a) VALUES(-1)") }
    }

    @Test(arguments: [Configuration.recommended, .untrusted, .sqlite])
    func theTailOfAnIndexDoesNotRun(_ configuration: Configuration) throws {
        let directory = try TemporaryDirectory()
        for payload in Self.payloads(directory) {
            let path = directory.file("\(UUID()).db")
            do {
                let connection = try Connection(path, configuration: .sqlite)
                try connection.execute(
                    """
                    CREATE TABLE victim(x); INSERT INTO victim VALUES('alive'); CREATE TABLE t(a, b); CREATE INDEX i ON t(b);
                    PRAGMA writable_schema = ON
                    """
                )
                try connection.run("UPDATE sqlite_master SET sql = sql || \("; \(payload)") WHERE name = 'i'")
            }
            let connection = try Connection(path, configuration: configuration)
            let schema = Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: Int?.self) } } }
            #expect(throws: SchemaError.self) { try schema.migrate(connection) }
            #expect(try connection.tableNames() == ["t", "victim"])
            #expect(try connection.query("SELECT x FROM victim") == "alive")
            #expect(try connection.userVersion == 0)
            #expect(!FileManager.default.fileExists(atPath: directory.file("pwned.db")))
        }
    }

    @Test func aStepWithANameOrATextThatCannotBeIsRefused() throws {
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE t(a, b)")
        let steps: [any SchemaStep] = [
            CreateIndex("i\0j", on: "t", "a"), CreateTrigger("g\0", "AFTER INSERT ON t BEGIN SELECT 1; END"),
            CreateIndex("i", on: "t", "a", where: "b > 1; DROP TABLE t"), CreateView("v", as: "SELECT 1; DROP TABLE t"),
            CreateTrigger("g", "AFTER INSERT ON t BEGIN SELECT 1; END; DROP TABLE t"),
        ]
        for step in steps {
            #expect(throws: (any Error).self) { try Schema("s") { Version(1) { step } }.migrate(connection) }
            #expect(try connection.tableNames() == ["t"])
        }
    }

    @Test func nothingButTheIntendedTablesChanges() throws {
        let seed = TestSeed.of()
        var readable = 0
        for round in 0..<60 {
            var file = try HostileFile(random: seed.generator(round))
            guard let problems = try file.problems() else { continue }
            readable += 1
            #expect(problems == [], "seed \(seed), round \(round)")
        }
        #expect(readable > 20)
    }
}

/// A file made of hostile pieces, and all that the library does with one.
private struct HostileFile {
    private var random: SeededGenerator
    private let directory: TemporaryDirectory
    private let path: String
    private var table = "t"
    private var columns: [String] = []

    init(random: SeededGenerator) throws {
        self.random = random
        directory = try TemporaryDirectory()
        path = directory.file("file.db")
    }

    private mutating func pick<T>(_ list: [T], or other: T) -> T { list.randomElement(using: &random) ?? other }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// Text that ends what it stands in, in one of the ways there are, and goes on with a payload.
    private mutating func text() -> String {
        let openings = [
            "", "x", "INT", "'", "\"", "]", "`", ")", "));", "');", "\");", "*/", "--\n", "/*", "END", "\n", "é", "É",
            "\u{301}", "\u{2028}",
        ]
        let ends = ["", ";", "; --", "; /*", ";\u{0B}", " --", "\"", "'", ")"]
        var result = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) { result += pick(openings, or: "") }
        if chance(80) {
            result += pick([";", "; ", ");", "END;"], or: ";") + pick(HostileFileTests.payloads(directory), or: "")
        }
        return result + pick(ends, or: "")
    }

    private mutating func name(_ base: String) -> String { chance(60) ? base + text() : base }

    private mutating func literal() -> SQL {
        // Scalar by scalar: a quote with a combining mark is another `Character`.
        chance(50) ? SQL(raw: "'\(text().unicodeScalars.map { $0 == "'" ? "''" : "\($0)" }.joined())'") : "1"
    }

    // MARK: - The file

    /// Makes a table, as SQLite lets it be made, with whatever depends on it.
    private mutating func make() throws {
        let connection = try Connection(path, configuration: .sqlite)
        try connection.execute("CREATE TABLE victim(x); INSERT INTO victim VALUES('alive')")
        table = name("t")
        for index in 0..<Int.random(in: 2...4, using: &random) { columns.append(name("c\(index)")) }
        var parts: [SQL] = []
        for column in columns {
            var part: SQL = "\(name: column)"
            if chance(60) { part += " \(name: text())" }
            if chance(30) { part += " DEFAULT \(literal())" }
            if chance(30) { part += " CONSTRAINT \(name: text()) CHECK (\(name: column) IS NOT \(literal()))" }
            if chance(20) { part += " COLLATE \(pick(["NOCASE", "\"BINARY\""] as [SQL], or: ""))" }
            parts.append(part)
        }
        if chance(30) { parts.append("CONSTRAINT \(name: text()) UNIQUE (\(name: columns[0]))") }
        if chance(30) { parts.append("FOREIGN KEY (\(name: columns[1])) REFERENCES \(name: text())(\(name: text()))") }
        try connection.execute("CREATE TABLE \(name: table)(\(parts.joined(separator: ", ")))")
        _ = try? connection.run("INSERT INTO \(name: table) DEFAULT VALUES")
        let column = columns[0]
        let dependents: [SQL] = [
            "CREATE INDEX \(name: name("i")) ON \(name: table)(\(name: column)) WHERE \(name: column) <> \(literal())",
            "CREATE INDEX \(name: name("j")) ON \(name: table)(coalesce(\(name: column), \(literal())))",
            """
            CREATE TRIGGER \(name: name("g")) AFTER INSERT ON \(name: table) BEGIN \
            SELECT \(literal()) AS \(name: text()), new.\(name: column); END
            """,
            "CREATE VIEW \(name: name("v")) AS SELECT \(name: column) AS \(name: text()), \(literal()) FROM \(name: table)",
        ]
        for sql in dependents where chance(60) { _ = try? connection.run(sql) }
        guard chance(60) else { return }
        // What no statement can make, an editor of files can.
        try connection.execute("PRAGMA writable_schema = ON")
        let tail = "; " + text() + (chance(10) ? "\0" + text() : "")
        let type = pick(["table", "index", "trigger", "view"], or: "index")
        _ = try? connection.run(
            "UPDATE sqlite_master SET sql = sql || \(tail) WHERE type = \(type) AND name <> 'victim'")
        if chance(20) {
            _ = try? connection.run(
                "UPDATE sqlite_master SET name = name || \(text()) WHERE type = \(type) AND name <> 'victim'")
        }
    }

    // MARK: - What is done with it

    mutating func problems() throws -> [String]? {
        try make()
        let configuration = pick([Configuration.recommended, .untrusted, .sqlite], or: .sqlite)
        // Files that SQLite itself refuses to read are not the library's concern.
        guard let connection = try? Connection(path, configuration: configuration), let before = try? state(connection)
        else { return nil }
        var problems: [String] = []
        func check(_ what: String, mayChangeTable: Bool) throws {
            if connection.isInTransaction { problems.append("\(what): a transaction is open") }
            guard let after = try? state(connection) else {
                problems.append("\(what): unreadable"); return
            }
            if mayChangeTable ? after.others != before.others : after != before {
                problems.append("\(what): \(before) became \(after)")
            }
            let found = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter {
                !$0.hasPrefix("file.db")
            }
            if !found.isEmpty { problems.append("\(what): \(found)") }
            let attached: [String] = try connection.query(
                "SELECT name FROM pragma_database_list WHERE name NOT IN ('main', 'temp')")
            if !attached.isEmpty { problems.append("\(what): attached \(attached)") }
        }

        let schema = self.schema()
        let declared = declared()
        _ = try? connection.tableInfo(table)?.sql
        _ = try? connection.schemaDefinition()
        _ = try? schema.verify()
        _ = try? schema.drift(from: [declared])
        _ = try? connection.plan(toMatch: [declared]).description
        try check("reading", mayChangeTable: false)
        _ = try? schema.dryRun(connection)
        try check("dryRun", mayChangeTable: false)
        _ = try? connection.plan(toMatch: [declared]).dryRun(allowing: [.columns, .tables])
        try check("dryRun of a plan", mayChangeTable: false)
        if chance(50) {
            _ = try? connection.plan(toMatch: [declared]).apply(allowing: [.columns, .tables])
            try check("apply", mayChangeTable: true)
        } else {
            _ = try? connection.sync([declared])
            try check("sync", mayChangeTable: true)
        }
        _ = try? schema.migrate(connection)
        try check("migrate", mayChangeTable: true)
        return problems
    }

    private mutating func schema() -> Schema {
        let column = columns[columns.count - 1]
        let added = name("added")
        let steps: [any SchemaStep] = [
            AlterTable(table) { ChangeColumn(column, fillingWith: literal()) },
            AlterTable(table) { AddColumn(added, String.self, .default(text())) },
            AlterTable(table) { DropColumn(column) },
            AlterTable(table) { RenameColumn(column, to: added) },
            AlterTable(table) { ChangeOptions(withoutRowID: false) },
        ]
        let chosen = pick(steps, or: steps[0])
        return Schema(chance(50) ? "s" : text()) { Version(1) { chosen } }
    }

    private mutating func declared() -> TableDefinition {
        var table = TableDefinition(name: self.table)
        for column in columns.dropLast(chance(50) ? 1 : 0) {
            table.columns.append(ColumnDefinition(name: column, type: chance(50) ? text() : "TEXT"))
        }
        if chance(50) {
            table.columns.append(ColumnDefinition(name: name("new"), type: text(), defaultValue: literal()))
        }
        if chance(30) { table.constraints.append(TableConstraint(name: text(), .check(SQL(raw: "1 < 2")))) }
        return table
    }

    // MARK: - What the file is

    private struct State: Equatable {
        /// Everything that is not the table's: the victim, its rows, the version of the file.
        var others: [String]
        var own: [String]
    }

    private func state(_ connection: Connection) throws -> State {
        let history = ["squall_versions", "sqlite_autoindex_squall_versions_1"]
        let objects: [(name: String, table: String, all: String)] = try connection.query(
            "SELECT name, tbl_name, type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 3"
        ) { (try $0.get(0), try $0.get(1), try $0.get(2)) }
        let others = objects.filter { object in
            object.table.compare(table, options: .caseInsensitive) != .orderedSame && !history.contains(object.name)
                && !object.all.hasPrefix("view ")
        }
        let own = objects.filter { object in !others.contains { $0.all == object.all } }
        let victim: [String] = try connection.query("SELECT x FROM victim")
        let version: Int = try connection.query("PRAGMA writable_schema")
        let userVersion: Int = try connection.query("PRAGMA user_version")
        return State(
            others: others.map(\.all) + victim + ["\(version) \(userVersion > 1)"], own: own.map(\.all)
        )
    }
}
