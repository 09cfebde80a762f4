import Foundation
import SampleTables
import Squall
import Testing

@Suite struct GenerateTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func generate(_ path: String, _ arguments: String...) async throws -> String {
        let outcome = try await Tool.shell("\"$SQUALL\" generate \"$@\"", [path] + arguments)
        #expect(outcome.error == "" && outcome.exitCode == 0)
        return outcome.output
    }

    // MARK: - The sources of this test

    @Test func committedSourcesAreCurrent() async throws {
        let arguments: [(SampleSchema, String, [String])] = [
            (.rental, "SquallToolTests/Generated", []),
            (.music, "SampleTables/Music", ["--access", "public", "--dates"]),
            (.trade, "SampleTables/Trade", ["--access", "public"]),
        ]
        for (schema, file, options) in arguments {
            let path = try directory.database(schema)
            let out = Self.tests.appendingPathComponent(file).path
            let outcome = try await Tool.shell(
                "\"$SQUALL\" generate \"$@\"", [path, "--check", "--out", out] + options)
            expect(outcome)
        }
    }

    @Test func aFileMatchesItsGeneratedTables() throws {
        let rental = try Connection(directory.database(.rental), mode: .readOnly)
        let plan = try rental.plan(
            toMatch: Actor.table, Address.table, Category.table, City.table, Country.table, Customer.table, Film.table,
            FilmActor.table, FilmCategory.table, FilmText.table, Inventory.table, Language.table, Payment.table,
            Rental.table, Staff.table, Store.table)
        #expect(plan.changes == [] && plan.losses.isEmpty)

        let music = try Connection(directory.database(.music), mode: .readOnly)
        let musicPlan = try music.plan(
            toMatch: Album.table, Artist.table, SampleTables.Customer.table, Employee.table, Genre.table, Invoice.table,
            InvoiceLine.table, MediaType.table, Playlist.table, PlaylistTrack.table, Track.table)
        #expect(musicPlan.changes == [])
    }

    @Test func aKeyThatMayBeNullIsTheOnlyDifference() throws {
        let trade = try Connection(directory.database(.trade), mode: .readOnly)
        let plan = try trade.plan(
            toMatch: Categories.table, CustomerCustomerDemo.table, CustomerDemographics.table, Customers.table,
            Employees.table, EmployeeTerritories.table, OrderDetails.table, Orders.table, Products.table, Regions.table,
            Shippers.table, Suppliers.table, Territories.table)
        // The source of the column says so in a comment.
        #expect(
            plan.description == """
                AlterTable("Customers") {
                    ChangeColumn("CustomerID", sql: "TEXT PRIMARY KEY NOT NULL")
                }
                """)
    }

    @Test func recordsAreWrittenAndReadThroughGeneratedTables() throws {
        let connection = try Connection(directory.database(.rental))
        let date = "2027-01-01 00:00:00"
        let country = Country(countryId: 1, country: "Norway", lastUpdate: nil)
        try connection.insert(country)
        try connection.insert(City(cityId: 7, city: "Bergen", countryId: 1, lastUpdate: date))
        let names = try connection.all(City.join(City.country).select { ($0.city, $1.country) })
        #expect(names.count == 1 && names[0] == ("Bergen", "Norway"))
        try connection.insert(Language(languageId: 1, name: "Norsk", lastUpdate: date))
        let film = Film(
            filmId: nil, title: "A film", description: nil, releaseYear: "2027", languageId: 1, originalLanguageId: nil,
            rentalDuration: 3, rentalRate: 4, length: nil, replacementCost: 19.5, rating: "PG", specialFeatures: nil,
            lastUpdate: date)
        let id = try connection.insert(film)
        // An integral number in a column DECIMAL is stored as INTEGER.
        #expect(try connection.find(Film.self, id)?.rentalRate == 4)
        #expect(try connection.find(FilmText.self, id)?.title == "A film")
    }

    @Test func datesAreReadAsDates() throws {
        let connection = try Connection(directory.database(.music))
        try connection.run("INSERT INTO Customer(FirstName, LastName, Email) VALUES('A', 'B', 'c')")
        try connection.run("INSERT INTO Invoice(CustomerId, InvoiceDate, Total) VALUES(1, '2027-01-02 00:00:00', 3)")
        let invoice = try #require(try connection.table(Invoice.table).first())
        #expect(invoice.invoiceDate == Date(timeIntervalSince1970: 1_798_848_000) && invoice.total == 3)
        #expect(try connection.first(Invoice.customer, of: invoice)?.email == "c")
    }

    // MARK: - Any schema

    @Test(.enabled(if: Compiler.isThere), arguments: SampleSchema.allCases)
    func sourcesCompile(schema: SampleSchema) async throws {
        let path = try directory.database(schema)
        for (index, options) in [[], ["--access", "public"], ["--dates"]].enumerated() {
            let file = directory.path("Tables\(index).swift")
            let arguments = [path, "--out", file] + options
            try await expect(Tool.shell("\"$SQUALL\" generate \"$@\"", arguments))
            try await expect(Compiler.check([file]))
        }
    }

    /// Names, types and constraints of every kind.
    private static let odd: SQL = #"""
        CREATE TABLE "order details"("class" INTEGER PRIMARY KEY, "default" TEXT NOT NULL DEFAULT 'it''s', "self" ANY,
            "first_name", "firstName" TEXT, "first name" TEXT, "2nd" REAL, "🚗" BLOB, "" TEXT, "URLPath" JSON, "ID" INT,
            "naïve 漢字" TEXT DEFAULT "a\b", "init" BOOLEAN DEFAULT 1, "Type" UUID, "table" MONEY);
        CREATE TABLE "data"("value" BLOB NOT NULL DEFAULT x'00', day DATE DEFAULT (date('now')));
        CREATE TABLE "string"(a INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT -5 CHECK (a <> 0) CHECK (a < "b"), b NOT NULL);
        CREATE TABLE "Order_Details"(a INTEGER PRIMARY KEY DESC, b TEXT UNIQUE ON CONFLICT IGNORE COLLATE RTRIM);
        CREATE TABLE strict_one(a INT PRIMARY KEY, b ANY NOT NULL, c ANY, d REAL DEFAULT 1.50, e TEXT, f INTEGER,
            UNIQUE(c, d), FOREIGN KEY (e, f) REFERENCES pair(x, y) ON DELETE SET NULL,
            FOREIGN KEY (f) REFERENCES strict_one) STRICT;
        CREATE TABLE pair(x TEXT, y INTEGER, z INTEGER REFERENCES "order details" DEFERRABLE INITIALLY DEFERRED,
            g TEXT AS (x || y) STORED, PRIMARY KEY (y DESC, x COLLATE NOCASE), UNIQUE(x, y)) WITHOUT ROWID;
        CREATE UNIQUE INDEX "odd ""index""" ON pair(lower(x) DESC, z COLLATE NOCASE) WHERE z > 5 AND x <> 'a"b';
        CREATE TABLE self(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES self(id) ON DELETE CASCADE, table_id INTEGER
            REFERENCES pair(z), missing_id REFERENCES nowhere(id));
        CREATE VIRTUAL TABLE search USING fts5(a);
        CREATE VIEW seen AS SELECT 1;
        CREATE TABLE "table"(a TEXT DEFAULT hello, b INTEGER DEFAULT "7", c TEXT DEFAULT [it's], d TEXT DEFAULT "x""y");
        CREATE TABLE record(a DEFAULT CURRENT_DATE);
        CREATE TABLE "!!"(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
        """#

    @Test(.enabled(if: Compiler.isThere), arguments: ["internal", "public"])
    func oddNamesCompile(access: String) async throws {
        let path = try directory.database(Self.odd)
        let file = directory.path("Tables.swift")
        _ = try await generate(path, "--out", file, "--access", access)
        try await expect(Compiler.check([file]))
        let folder = directory.path("Folder") + "/"
        _ = try await generate(path, "--out", folder, "--access", access)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 11)
        try await expect(Compiler.check(files.map { folder + $0 }))
    }

    @Test func namesAreMadeOfNames() async throws {
        let path = try directory.database(Self.odd)
        let text = try await generate(path, "--tables", "order details,self")
        #expect(!text.contains("not declared"))
        let names = text.matches(of: /let (\S+): (\S+)\n/).map { "\($0.1) \($0.2)" }
        #expect(
            names == [
                "`class` Int64?", "`default` String", "self2 BindingValue?", "firstName BindingValue?",
                "firstName2 String?",
                "firstName3 String?", "_2nd Double?", "column Data?", "column2 String?", "urlPath String?", "id Int64?",
                "naïve漢字 String?", "`init` Bool?", "type BindingValue?", "table2 Double?", "id Int64?", "parent Int64?",
                "tableId Int64?", "missingId BindingValue?",
            ])
        #expect(text.contains("static let parent = Relation(\\SelfRecord.parent, to: \\SelfRecord.id)\n"))
        #expect(text.contains(".foreignKey(parent, onDelete: .cascade)"))
        #expect(text.contains(".foreignKey(\"missing_id\", references: \"nowhere\", [\"id\"])"))
    }

    /// SQLite takes a name as a text there, which would be a column in an expression.
    @Test func defaultsThatAreNames() async throws {
        let text = try await generate(directory.database(Self.odd), "--tables", "table,record")
        for line in [".default(\"hello\")", ".default(sql: \"'7'\")", ".default(\"it's\")", #".default("x\"y")"#] {
            #expect(text.contains(line), "\(line)")
        }
        #expect(text.contains("struct TableRow: TableRecord") && text.contains("struct RecordRecord: TableRecord"))
        #expect(text.contains(".default(sql: \"CURRENT_DATE\")"))
    }

    /// The defaults that `.default(.now)` writes, with and without parentheses, and others that are only similar.
    @Test(.enabled(if: Compiler.isThere)) func theTimeOfTheInsert() async throws {
        let path = try directory.database(
            """
            CREATE TABLE "events"(
                "id" INTEGER PRIMARY KEY,
                "text" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now')),
                "stamp" DATETIME DEFAULT ( STRFTIME('%Y-%m-%dT%H:%M:%f','now') ),
                "seconds" REAL DEFAULT (round((julianday('now') - 2440587.5) * 86400, 3)),
                "milliseconds" INTEGER NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
                "day" REAL DEFAULT (julianday('now')),
                "other" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M', 'now'))
            )
            """)
        let text = try await generate(path)
        for line in [
            #"let text: Date"#, #"let stamp: Date?"#, #"let milliseconds: Date"#, #"let other: String?"#,
            #"Column("text", \Events.text, .default(.now))"#,
            #"Column("stamp", \Events.stamp, .type("DATETIME"), .default(.now))"#,
            #"Column("seconds", \Events.seconds, as: .unixTime, .default(.now))"#,
            #"Column("milliseconds", \Events.milliseconds, as: .unixMilliseconds, .default(.now))"#,
            #"Column("day", \Events.day, as: .julianDay, .default(.now))"#,
            #"Column("other", \Events.other, .default(sql: "(strftime('%Y-%m-%dT%H:%M', 'now'))"))"#,
        ] {
            #expect(text.contains(line), "\(line): \(text)")
        }
        let file = directory.path("Tables.swift")
        _ = try await generate(path, "--out", file)
        try await expect(Compiler.check([file]))
    }

    @Test func whatCannotBeDeclaredIsAComment() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(k TEXT PRIMARY KEY); CREATE VIEW v AS SELECT 1;
            CREATE VIRTUAL TABLE "a
            b" USING fts5(a);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END
            """)
        try await expect(
            Tool.run("generate", path),
            prints: #"""
                // Generated by 'squall generate' from the tables of test.db. Changes are lost.
                // swift-format-ignore-file

                import Foundation
                import Squall

                /// A row of the table `t`.
                // The trigger g is not declared.
                nonisolated struct T: TableRecord, Sendable {
                    let k: String

                    static let table = Table("t", T.init) {
                        // The file allows NULL in "k"; the declaration does not.
                        Column("k", \T.k, .primaryKey)
                    }
                }

                // The view v is not declared.
                // The virtual table "a\nb" is not declared.

                """#
        )
    }

    // MARK: - Files

    @Test func aCheckComparesTheFiles() async throws {
        let path = try directory.database(
            "CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(id INTEGER PRIMARY KEY)")
        let (file, folder) = (directory.path("Tables.swift"), directory.path("Tables") + "/")
        let hint = "hint: run 'squall generate' without --check\n"
        try await expect(
            Tool.run("generate", path, "--out", file, "--check"), fails: "error: '\(file)' is missing\n" + hint,
            exitCode: 1)
        for out in [file, folder] {
            _ = try await generate(path, "--out", out)
            #expect(try await generate(path, "--out", out, "--check") == "")
        }
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute("ALTER TABLE a ADD COLUMN name TEXT; DROP TABLE b")
        connection.close()
        try await expect(
            Tool.run("generate", path, "--out", file, "--check"), fails: "error: '\(file)' is not current\n" + hint,
            exitCode: 1)
        try await expect(
            Tool.run("generate", path, "--out", folder, "--check"),
            fails: "error: '\(folder)A.swift' is not current; '\(folder)B.swift' has no table any more\n" + hint,
            exitCode: 1)
        try await expect(
            Tool.run("generate", path, "--out", folder), fails: "note: '\(folder)B.swift' has no table any more\n")
    }

    @Test func aFileOfSomebodyElseIsNotOverwritten() async throws {
        let path = try directory.database("CREATE TABLE a(id INTEGER PRIMARY KEY)")
        let file = try directory.file("Mine.swift", "let mine = 1\n")
        try await expect(
            Tool.run("generate", path, "--out", file),
            fails: """
                error: '\(file)' was not written by 'squall generate'
                hint: delete it, or choose another path

                """,
            exitCode: 73)
        #expect(try directory.bytes("Mine.swift") == Data("let mine = 1\n".utf8))
    }

    @Test func wrongArgumentsAreErrors() async throws {
        let path = try directory.database("CREATE TABLE a(id); CREATE VIEW v AS SELECT 1")
        let usage = try await Tool.run("generate", path, "--check")
        #expect(usage.exitCode == 64)
        let none = try await Tool.run("generate", path, "--tables", "a,none")
        #expect(none.exitCode == 2 && none.error.hasPrefix("error: \(path): no such table: none (SQLITE_ERROR)\n"))
        let view = try await Tool.run("generate", path, "--tables", "v")
        #expect(view.exitCode == 2 && view.error.contains("'v' is not a table that can be declared"))
    }
}
