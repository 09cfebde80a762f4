import Foundation
import Squall
import Testing

@Suite struct DescribeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func database() throws -> String {
        try directory.database(
            """
            CREATE TABLE makers(id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE);
            CREATE TABLE cars(
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                maker INTEGER NOT NULL REFERENCES makers ON DELETE CASCADE,
                price REAL DEFAULT 1.5 CHECK (price > 0),
                note TEXT DEFAULT NULL,
                double AS (price * 2) STORED,
                CHECK (id <> maker)
            );
            CREATE INDEX cars_maker ON cars(maker, lower(note) DESC) WHERE price > 10;
            CREATE TRIGGER cars_priced AFTER UPDATE OF price, note ON cars BEGIN SELECT 1; END
            """
        )
    }

    @Test func aTableHasAllItsParts() async throws {
        try await expect(
            Tool.run("describe", try database(), "cars"),
            prints: """
                cars (table)
                 column │ type    │ null     │ default │ key         │ details
                ────────┼─────────┼──────────┼─────────┼─────────────┼───────────────────────
                 id     │ INTEGER │          │         │ primary key │ AUTOINCREMENT
                 maker  │ INTEGER │ NOT NULL │         │ foreign key │\u{20}
                 price  │ REAL    │          │ 1.5     │             │ CHECK (price > 0)
                 note   │ TEXT    │          │ NULL    │             │\u{20}
                 double │         │          │         │             │ AS (price * 2) STORED
                 indexes
                   cars_maker (maker, lower(note) DESC) WHERE price > 10
                 foreign keys
                   maker → makers ON DELETE CASCADE
                 checks
                   id <> maker
                 triggers
                   cars_priced AFTER UPDATE OF price, note

                """
        )
    }

    @Test func aTableThatOthersReferToSaysSo() async throws {
        try await expect(
            Tool.run("describe", try database(), "makers", "--format", "csv"),
            prints: """
                table,part,name,type,not null,default,key,details
                makers,column,id,INTEGER,0,,primary key,
                makers,column,name,TEXT,1,,unique,COLLATE NOCASE
                makers,index,sqlite_autoindex_makers_1,,,,,(name COLLATE NOCASE) UNIQUE constraint
                makers,referred to by,cars,,,,,maker REFERENCES makers ON DELETE CASCADE

                """
        )
    }

    @Test func allTablesAreDescribedInTheOrderOfTheirNames() async throws {
        let outcome = try await Tool.run("describe", try database())
        let titles = outcome.output.split(separator: "\n").filter { $0.hasSuffix("(table)") }
        #expect(titles == ["cars (table)", "makers (table)"] && outcome.exitCode == 0)
    }

    @Test(arguments: SampleSchema.allCases)
    func sampleSchemasAreDescribed(schema: SampleSchema) async throws {
        let path = try directory.database(schema)
        for format in ["table", "json", "csv"] {
            let outcome = try await Tool.run("describe", path, "--format", format)
            #expect(outcome.error == "" && outcome.exitCode == 0)
        }
        let outcome = try await Tool.run("describe", path, "--format", "json")
        let rows = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        let connection = try Connection(path, mode: .readOnly)
        let keys: Int = try connection.query(
            """
            SELECT count(DISTINCT m.name || f.id) FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f
            WHERE m.type = 'table'
            """
        )
        #expect(rows.filter { $0["part"] as? String == "foreign key" }.count == keys)
        #expect(rows.filter { $0["part"] as? String == "referred to by" }.count == keys)
    }

    @Test func aBrokenViewIsDescribedAsSuch() async throws {
        let path = try directory.database("CREATE TABLE t(a); CREATE VIEW v AS SELECT * FROM missing")
        try await expect(
            Tool.run("describe", path, "v"), prints: "v (view)\n   broken: no such table: main.missing\n")
        let outcome = try await Tool.run("describe", path, "--format", "csv")
        #expect(outcome.exitCode == 0 && outcome.output.hasSuffix("\nv,error,,,,,,no such table: main.missing\n"))
    }

    @Test func namesThatWouldMoveTheCursorAreEscaped() async throws {
        let path = try directory.database("CREATE TABLE \"a\u{1B}[31m\nb\"(\"c\td\" \"INT\u{7}\")")
        let outcome = try await Tool.run("describe", path)
        #expect(outcome.exitCode == 0 && !outcome.output.contains("\u{1B}") && !outcome.output.contains("\u{7}"))
        #expect(outcome.output.hasPrefix(#"a\u{1B}[31m\nb (table)"#))
    }
}
