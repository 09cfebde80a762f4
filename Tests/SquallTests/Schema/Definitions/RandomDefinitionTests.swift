import Squall
import SquallTestSupport
import Testing

/// Random `CREATE TABLE` texts, read by `tableInfo`, printed, and run: to SQLite the two tables are the same. A failure names
/// its seed: `RandomTableText(seed: 17)` is that text again.
struct RandomDefinitionTests {
    private static let victim: SQL = "CREATE TABLE victim(x); INSERT INTO victim VALUES(1)"

    @Test(arguments: 0..<4) func aTableIsPrintedAsItIs(_ part: Int) throws {
        var created = 0
        for seed in stride(from: part, to: Rounds.of(1200), by: 4) {
            var text = RandomTableText(seed: seed)
            let sql = text.sql()
            let first = try Connection(":memory:")
            // Not every text is a table: two columns may need one another's type.
            guard (try? first.run(SQL(raw: sql))) != nil else { continue }
            created += 1
            do {
                let table = try #require(try first.tableInfo(text.name))
                let second = try Connection(":memory:")
                try second.execute(Self.victim)
                // As a script, in which a statement could hide.
                try second.execute(table.sql)
                #expect(try Self.traits(second, text.name) == Self.traits(first, text.name), "seed \(seed): \(sql)")
                #expect(try second.tableNames().count == 2 && second.count("victim") == 1, "seed \(seed): \(sql)")
                let again = try #require(try second.tableInfo(text.name))
                #expect(again.sql == table.sql, "seed \(seed): \(sql)")
                #expect(table.changes(to: again).isEmpty, "seed \(seed): \(sql)")
            } catch {
                Issue.record("seed \(seed): \(error): \(sql)")
            }
        }
        #expect(created > Rounds.of(1200) / 8)
    }

    /// All that SQLite tells of a table.
    private static func traits(_ connection: Connection, _ table: String) throws -> [String] {
        let queries: [SQL] = [
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(\(table))",
            "SELECT id, seq, \"table\", \"from\", \"to\", on_update, on_delete FROM pragma_foreign_key_list(\(table))",
            """
            SELECT l.seq, l."unique", l.origin, x.seqno, x.cid, x."desc", x.coll, x.key \
            FROM pragma_index_list(\(table)) l, pragma_index_xinfo(l.name) x ORDER BY 1, 4
            """,
            "SELECT ncol, wr, strict FROM pragma_table_list(\(table))",
            "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'",
        ]
        return try queries.flatMap { try connection.query($0) { $0.valuesText } as [String] }
    }
}

private struct RandomTableText {
    let name: String
    private var random: SeededGenerator
    private var columns: [String] = []
    private let isStrict: Bool
    private static let hostile = "INT); DROP TABLE victim; COMMIT; --"
    private static let names = [
        "a", "order", "B c", "quo\"te", "é", "É", "e\u{301}", "key", "check", "ключ", "x.y", "z[", "1st", "a;b", "--c",
        "/*d", "'e'",
        "default", "GENERATED", "ASC", "like", "unıque", "end", hostile,
    ]

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
        name = random.pick(["t", "Tä", "table", Self.hostile])
        isStrict = random.chance(15)
    }

    private mutating func quoted(_ name: String) -> String {
        let isWord = ["a", "é", "É", "ключ", "key", "t", "like", "unıque", "end"].contains(name)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where isWord: return name
        case 1 where !name.contains("]"): return "[\(name)]"
        case 2: return "`\(name)`"
        default: return "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        }
    }

    private mutating func space() -> String {
        random.pick([" ", " ", " ", "\n", "\t ", " /* ; ) ' */ ", " -- '; )\n"])
    }

    private mutating func join(_ parts: [String]) -> String {
        var result = ""
        for part in parts where !part.isEmpty { result += (result.isEmpty ? "" : space()) + part }
        return result
    }

    mutating func sql() -> String {
        columns = Array(Self.names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)))
        let key = Int.random(in: 0..<8, using: &random)
        let hasKey = key < 6
        var parts: [String] = []
        for (index, column) in columns.enumerated() {
            let ownKey = index == 0 && key < 3
            parts.append(self.column(column, key: ownKey ? key : nil, mayBeGenerated: index > 0))
        }
        let first = quoted(columns[0])
        if key == 3 {
            parts[0] = "\(first) INTEGER"
            parts.append("PRIMARY KEY(\(first)\(random.pick(["", " DESC"])) AUTOINCREMENT)")
        }
        if key == 4 || key == 5 {
            parts.append("PRIMARY KEY (\(first)\(random.pick(["", " COLLATE NOCASE", " DESC", " ASC"])))\(conflict())")
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) { parts.append(tableConstraint()) }
        var options: [String] = []
        if isStrict { options.append("STRICT") }
        if hasKey && random.chance(20) { options.append("without  rowid") }
        let list = parts.joined(separator: random.chance(50) ? ", " : " ,\n")
        return "CREATE TABLE \(quoted(name))\(space())(\(list)\(space())) \(options.joined(separator: " , "))"
    }

    private mutating func conflict() -> String {
        random.chance(25) ? " ON CONFLICT " + random.pick(["replace", "IGNORE", "Abort", "FAIL", "ROLLBACK"]) : ""
    }

    private mutating func type() -> String {
        if isStrict { return random.pick(["INT", "INTEGER", "TEXT", "REAL", "BLOB", "ANY", "\"text\""]) }
        return random.pick([
            "", "INT", "integer", "TEXT", "VARCHAR(10)", "DECIMAL(10, 2)", "character varying (8)", "UNSIGNED BIG INT",
            "double\tprecision", "VARCHAR(+1,-10)", "N(1.5)", "\"col.1\"", "[char.3]", "\"VARCHAR (+1,-10, 5)\"",
            "\"generated always\"",
            "\"weird type\"(3)", "'text type'", "foo \"bar\" (3)", "`x``y`", "\"a\"\"b\"",
            "TIMESTAMP WITHOUT TIME ZONE",
            "\"NOT NULL\"", "\" sp \"", "char /* ) */ varying", "KEY", "longtypename01 always", "\"\(Self.hostile)\"",
            "a \"\(Self.hostile)\"", "тип", "\"x--\"", "\"/*\"",
        ])
    }

    private mutating func defaultValue() -> String {
        random.pick([
            "1", "-1", "+1", "- 5", ".5", "-.5", "+ .5e3", "1.5E-3", "0x1F", "-9223372036854775808", "'it''s'",
            "\"dq\"", "x'00ff'",
            "X'AB'", "NULL", "current_timestamp", "TRUE", "word", "(1 + (2))", "('a;b')", "(')')", "( 1 )", "(abs(-3))",
            "(1 /* ) */)",
            "(1 -- )\n)", "'\(Self.hostile)'", "(x'00')", "[br]", "''",
        ])
    }

    private mutating func check(_ column: String) -> String {
        let column = quoted(column)
        let qualified = random.chance(20) ? "\(quoted(name)).\(column)" : column
        return random.pick([
            "\(qualified) <> ')'", "length(\(qualified)) > 1 AND (1)", "\(qualified) IS NOT '\(Self.hostile)'",
            "CASE WHEN \(qualified) COLLATE nocase = 'x' THEN 1 ELSE 2 END", "\(qualified) IN (1, 2, (3)) -- ok )\n",
            "/* ( */ \(qualified) NOT LIKE '%;%'", "(\(qualified)) = 5", "\(qualified) > .5",
        ])
    }

    private mutating func column(_ name: String, key: Int?, mayBeGenerated: Bool) -> String {
        var parts = [quoted(name)]
        switch key {
        case 0: return join(parts + ["INTEGER", "PRIMARY KEY" + conflict(), random.pick(["", "AUTOINCREMENT"])])
        case 1: return join(parts + ["\"INTEGER\"", "primary key", random.pick(["", "DESC", "ASC"])])
        case 2: return join(parts + [type(), "CONSTRAINT pk PRIMARY KEY" + conflict()])
        default: break
        }
        parts.append(type())
        if mayBeGenerated && random.chance(15) {
            let word = random.pick(["GENERATED ALWAYS AS", "as"])
            parts.append("\(word) (\(quoted(columns[0])) || ',)')")
            parts.append(random.pick(["", "STORED", "virtual"]))
        } else if random.chance(50) {
            parts.append("DEFAULT " + defaultValue())
        }
        if random.chance(25) { parts.append("CONSTRAINT \(quoted(random.pick(Self.names)))") }
        if random.chance(25) { parts.append("CHECK (\(check(name)))") }
        if random.chance(25) { parts.append("NOT NULL" + conflict()) }
        if random.chance(10) { parts.append("NULL") }
        if random.chance(20) { parts.append("UNIQUE" + conflict()) }
        if random.chance(20) {
            parts.append("COLLATE " + random.pick(["nocase", "\"RTRIM\"", "[binary]", "NOCASE COLLATE rtrim"]))
        }
        if random.chance(15) { parts.append(reference()) }
        return join(parts)
    }

    private mutating func reference(_ columns: Int = 1) -> String {
        let list = random.pick(["", "(\"p a\")", "(\"Ключ\")"])
        let table = quoted(random.pick(["p", "Größe", "order", Self.hostile]))
        return join([
            "REFERENCES \(table)" + (columns == 1 ? list : "(x, \"y z\")"),
            random.pick([
                "", "ON DELETE SET NULL", "on delete cascade ON UPDATE NO ACTION", "MATCH full", "ON INSERT RESTRICT",
            ]),
            random.pick(["", "DEFERRABLE", "NOT DEFERRABLE", "deferrable initially deferred"]),
        ])
    }

    private mutating func tableConstraint() -> String {
        let column = random.pick(columns)
        var parts = [random.chance(30) ? "CONSTRAINT \(quoted(random.pick(Self.names)))" : ""]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: parts.append("CHECK (\(check(column)))")
        case 1:
            let list = columns.prefix(2).map {
                quoted($0) + random.pick(["", " COLLATE rtrim", " DESC", " collate NOCASE asc"])
            }
            parts.append("UNIQUE (\(list.joined(separator: ",")))" + conflict())
        case 2: parts += ["FOREIGN KEY (\(quoted(column)))", reference()]
        default:
            let list = columns.prefix(2).map { quoted($0) }
            parts += ["FOREIGN KEY (\(list.joined(separator: ", ")))", reference(list.count)]
        }
        return join(parts)
    }
}
