import Foundation
import Squall
import Testing

@Suite struct SQLCheckTests {
    /// The last line of a check without errors.
    private func checked(_ count: String) throws -> String {
        let version: String = try Connection().query("SELECT sqlite_version()")
        return "\(count) checked by SQLite \(version)\n"
    }

    @Test func aCorrectFolderHasNoMessages() async throws {
        let folder = try SQLFolder()
        try await expect(folder.run("check"), prints: checked("1 query"))
        #expect(try folder.directory.files() == ["SQL"])
        try folder.write("admin/count.sql", "-- name: count :one\nSELECT count(*) FROM cars;\n")
        try await expect(folder.run("check"), prints: checked("2 queries"))
    }

    @Test func aFolderWithoutQueriesIsCorrect() async throws {
        let folder = try SQLFolder(queries: "")
        try await expect(folder.run("check"), prints: checked("0 queries"))
    }

    /// A schema, queries, and the end of the message with its place.
    private static let errors: [(schema: String, queries: String, message: String)] = [
        ("CREATE TABLE cars(id", "", "schema/001_cars.sql:1:1: error: incomplete input"),
        ("CREATE TABLE cars(,);", "", "schema/001_cars.sql:1:19: error: near \",\": syntax error"),
        (
            "ATTACH '/tmp/x' AS x;", "",
            "schema/001_cars.sql:1:1: error: a schema file cannot attach a database, "
                + "or write one by VACUUM INTO"
        ),
        (SQLFolder.schema, "-- name: a\nSELECT prize FROM cars;", "cars.sql:2:8: error: no such column: prize"),
        (SQLFolder.schema, "-- name: a\nSELECT id FROM;", "cars.sql:2:1: error: incomplete input"),
        (SQLFolder.schema, "SELECT 1;", "cars.sql:1:1: error: "),
        (
            SQLFolder.schema, "-- name: a\n-- plan: no scan\nSELECT name FROM cars;",
            "cars.sql:2:4: error: the plan reads a whole table: SCAN cars"
        ),
        (SQLFolder.schema, "-- name: a\nSELECT :x AS y;", "cars.sql:2:"),
        (SQLFolder.schema, "-- name: a\nBEGIN;", "cars.sql:2:1: error: BEGIN cannot be in a query"),
        (SQLFolder.schema, "-- name: a\nSELECT 'open", "cars.sql:2:8: error: "),
    ]

    @Test(arguments: errors)
    func anErrorHasItsPlace(schema: String, queries: String, message: String) async throws {
        let folder = try SQLFolder(schema: schema, queries: queries)
        let outcome = try await folder.run("check")
        #expect(outcome.exitCode == 1 && outcome.output == "")
        #expect(outcome.error.hasPrefix("\(folder.path)/\(message)"), "\(outcome.error)")
        #expect(outcome.error.contains(": error: "))
    }

    @Test func allErrorsArePrintedInTheOrderOfTheirPlaces() async throws {
        let folder = try SQLFolder(
            queries: "-- name: a\nSELECT x FROM cars;\n\n-- name: b\nSELECT id FROM trucks;\n")
        try folder.write("admin.sql", "-- name: c\nSELECT 1 +;\n")
        try await expect(
            folder.run("check"),
            fails: """
                \(folder.path)/admin.sql:2:1: error: incomplete input
                \(folder.path)/cars.sql:2:8: error: no such column: x
                \(folder.path)/cars.sql:5:1: error: no such table: trucks

                """,
            exitCode: 1)
    }

    @Test func aColumnThatAVersionRenamedIsNamed() async throws {
        let folder = try SQLFolder(queries: "-- name: a\nSELECT price FROM cars;\n")
        try folder.write("schema/002_cost.sql", "ALTER TABLE cars RENAME COLUMN price TO cost;\n")
        let outcome = try await folder.run("check")
        #expect(outcome.exitCode == 1)
        #expect(outcome.error.hasPrefix("\(folder.path)/cars.sql:2:8: error: no such column: price: "))
        #expect(outcome.error.contains("002_cost.sql") && outcome.error.contains("cost"))
    }

    @Test func anotherVersionOfSQLiteIsANote() async throws {
        let folder = try SQLFolder()
        let settings = try folder.write("squall.json", #"{"sqlite": "3.31.1"}"#)
        let version: String = try Connection().query("SELECT sqlite_version()")
        try await expect(
            folder.run("check"), prints: checked("1 query"),
            fails: "\(settings):1:1: note: checked by SQLite \(version); the program will use 3.31.1\n")
        try folder.write("squall.json", #"{"sqlit": 3}"#)
        let outcome = try await folder.run("check")
        #expect(outcome.exitCode == 1 && outcome.error.hasPrefix("\(settings):1:2: error: unknown key 'sqlit'"))
    }

    // MARK: - Bytes

    @Test func windowsFilesAreRead() async throws {
        let folder = try SQLFolder()
        for (name, text) in [("schema/001_cars.sql", SQLFolder.schema), ("cars.sql", SQLFolder.queries)] {
            let lines = text.replacing("\n", with: "\r\n")
            try folder.write(name, Data([0xEF, 0xBB, 0xBF]) + Data(lines.utf8))
        }
        try await expect(folder.run("check"), prints: checked("1 query"))
        try folder.write("cars.sql", Data([0xEF, 0xBB, 0xBF]) + Data("-- name: a\r\nSELECT x\r\nFROM cars;\r\n".utf8))
        try await expect(
            folder.run("check"), fails: "\(folder.path)/cars.sql:2:8: error: no such column: x\n", exitCode: 1)
    }

    @Test func otherEncodingsAreErrors() async throws {
        let folder = try SQLFolder()
        let path = try folder.write("cars.sql", Data("-- name: a\nSELECT '".utf8) + Data([0xE4, 0x27]))
        try await expect(
            folder.run("check"), fails: "\(path):2:9: error: the file is not valid UTF-8\n", exitCode: 1)
        try folder.write("cars.sql", Data([0xFF, 0xFE, 0x2D, 0x00]))
        try await expect(
            folder.run("check"), fails: "\(path):1:1: error: the file is UTF-16: save it as UTF-8\n", exitCode: 1)
    }

    @Test func controlCharactersAreEscaped() async throws {
        let folder = try SQLFolder(queries: "-- name: a\nSELECT \"\u{1B}[31m\" FROM cars;\n")
        try await expect(
            folder.run("check"),
            fails: "\(folder.path)/cars.sql:2:8: error: no such column: \\u{1B}[31m: text stands in single quotes\n",
            exitCode: 1)
    }

    // MARK: - Arguments

    @Test func aFolderThatCannotBeReadIsAnError() async throws {
        let folder = try SQLFolder()
        let (none, file) = (folder.directory.path("none"), "\(folder.path)/cars.sql")
        try await expect(
            Tool.run("sql", "check", none), fails: "error: cannot open '\(none)': No such file or directory\n",
            exitCode: 66)
        try await expect(
            Tool.run("sql", "plans", file), fails: "error: cannot read the folder '\(file)'\n", exitCode: 66)
    }

    @Test func pathsAreWrittenAsTheyAreGiven() async throws {
        let folder = try SQLFolder(queries: "-- name: a\nSELECT x FROM cars;\n")
        for (path, printed) in [("SQL", "SQL/cars.sql"), ("./SQL/", "./SQL/cars.sql")] {
            try await expect(
                Tool.run("sql", "check", path, in: folder.directory.url),
                fails: "\(printed):2:8: error: no such column: x\n", exitCode: 1)
        }
        let inside = URL(fileURLWithPath: folder.path)
        try await expect(
            Tool.run("sql", "check", ".", in: inside), fails: "./cars.sql:2:8: error: no such column: x\n", exitCode: 1)
    }

    @Test(arguments: ["0", "-1", "nan", "inf", "1e300", "soon"])
    func aDeadlineIsANumberOfSeconds(deadline: String) async throws {
        let outcome = try await SQLFolder().run("check", "--deadline=\(deadline)")
        #expect(outcome.exitCode == 64 && outcome.output == "")
    }

    // MARK: - Hostile files

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c;",
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n FROM c WHERE n < 0;",
        ])
    func anEndlessSchemaEndsAtTheDeadline(sql: String) async throws {
        let folder = try SQLFolder(schema: "CREATE TABLE t(x);\n\(sql)\n", queries: "")
        try await expect(
            folder.run("check", "--deadline", "1"),
            fails: "\(folder.path)/schema/001_cars.sql:2:1: error: the schema files take longer than 1.0 seconds\n",
            exitCode: 1)
    }

    @Test func theMemoryOfASchemaIsLimited() async throws {
        let sort = """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
            SELECT zeroblob(9000000) || n AS b FROM c ORDER BY b;
            """
        let folder = try SQLFolder(schema: sort, queries: "")
        let outcome = try await folder.run("check", "--deadline", "60")
        #expect(outcome.exitCode == 1 && outcome.error.hasSuffix(" error: the schema files use too much memory\n"))
    }
}
