import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// A schema grows at random while TEMP tables have the names of all that it makes. The file is as without them.
struct ShadowedSchemaTests {
    private static let names = ["notes", "tags", "pages", "marks", "notes_search", "spots"]

    /// TEMP tables with other columns.
    private static func shadow(_ connection: Connection) throws {
        for name in names { try connection.run("CREATE TEMP TABLE IF NOT EXISTS \(name: name)(other TEXT)") }
    }

    private static func schema(_ connection: Connection) throws -> [String] {
        try connection.query(
            "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM main.sqlite_master ORDER BY 1"
        )
    }

    private static func rows(_ connection: Connection) throws -> [String] {
        let tables: [String] = try connection.query(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE '%squall%' ORDER BY 1"
        )
        return try tables.flatMap { table in
            try connection.query("SELECT * FROM main.\(name: table)", as: Row.self).map { row in
                let values = row.columns.map { ("\($0.bindingValue)" as SQL).withLiterals.text }
                return "\(table) \(values.joined(separator: ", "))"
            }
        }
    }

    private static func step(_ number: Int, _ random: inout SeededGenerator) -> any SchemaStep {
        let (table, other) = (random.pick(Array(names.prefix(4))), random.pick(Array(names.prefix(4))))
        let column = "c\(Int.random(in: 0..<4, using: &random))"
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1:
            return CreateTable(table) {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("c0", String?.self)
                ColumnDef("stamp", Double?.self)
            }
        case 2: return DropTable(table)
        case 3: return RenameTable(table, to: other)
        case 4: return AlterTable(table) { AddColumn(column, Int.self, .default(7)) }
        case 5: return AlterTable(table) { AddColumn(column, String?.self, fillingWith: "id || 'x'") }
        case 6: return AlterTable(table) { DropColumn(column) }
        case 7: return AlterTable(table) { RenameColumn(column, to: "c\(Int.random(in: 0..<4, using: &random))") }
        case 8:
            return AlterTable(table) {
                ChangeColumn(column, to: String.self, fillingWith: "coalesce(\(name: column), '')")
            }
        case 9: return CreateIndex("i\(number)", on: table, IndexedColumn(column))
        case 10: return CreateTrigger("t\(number)", "AFTER INSERT ON \(name: table) BEGIN SELECT 1; END")
        case 11: return CreateSearchTable("notes_search", of: table, rowID: "id", columns: column)
        case 12: return Execute("INSERT INTO main.\(name: table)(\(name: column)) VALUES('\(raw: "\(number)")')")
        default: return DropIndex("i\(Int.random(in: 0...number, using: &random))")
        }
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func theFileIsAsWithoutTemporaryTables() throws {
        let seed = TestSeed.of()
        var done = 0
        for round in 0..<10 {
            var random = seed.generator(round)
            let (plain, shadowed) = (try Connection(), try Connection())
            var versions: [Version] = []
            for number in 0..<50 {
                let step = Self.step(number, &random)
                let version = Version(versions.count + 1) { step }
                try Self.shadow(shadowed)
                let outcomes = [plain, shadowed].map { connection in
                    do {
                        try Schema("s") { for version in versions + [version] { version } }.migrate(connection)
                        return "done"
                    } catch { return "\(type(of: error))" }
                }
                // SQLite's own ALTER TABLE … RENAME looks for the tables of triggers and indexes among the TEMP ones, and throws.
                if step is RenameTable || step is AlterTable, outcomes == ["done", "SQLiteError"] { break }
                let comment: Comment = "seed \(seed), round \(round), step \(number): \(step)"
                #expect(outcomes[0] == outcomes[1], comment)
                #expect(
                    try Self.schema(plain) + Self.rows(plain) == Self.schema(shadowed) + Self.rows(shadowed), comment)
                #expect(try shadowed.query("SELECT count(*) FROM temp.sqlite_master") == Self.names.count, comment)
                if outcomes == ["done", "done"] {
                    versions.append(version)
                    done += 1
                }
            }
        }
        #expect(done > 50)
    }
}
