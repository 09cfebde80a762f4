import Squall

/// A table of the file that differs from its declaration in one part: a plan has the difference, and a sync mends it.
struct DeclaredDifference {
    /// The parts of a declaration, each with its forms. The first one is that of the other differences.
    private static let forms: [Part: [String]] = [
        .key: [
            "id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY AUTOINCREMENT",
            "id INTEGER PRIMARY KEY ON CONFLICT REPLACE",
        ],
        .text: [
            "text TEXT", "text TEXT COLLATE NOCASE", "text TEXT COLLATE RTRIM", "text TEXT NOT NULL",
            "text TEXT NOT NULL ON CONFLICT IGNORE", "text TEXT DEFAULT 'x'", "text TEXT DEFAULT 'X'",
            "text TEXT CHECK(length(text) < 50)", "text TEXT CHECK(length(text) < 51)", "text TEXT UNIQUE",
            "text TEXT UNIQUE ON CONFLICT IGNORE",
        ],
        .number: [
            "number INTEGER DEFAULT 1", "number INTEGER DEFAULT 2", "number INTEGER DEFAULT (1 + 1)",
            "number INTEGER GENERATED ALWAYS AS (id + 1) STORED", "number INTEGER GENERATED ALWAYS AS (id + 2) STORED",
            "number INTEGER GENERATED ALWAYS AS (id + 1) VIRTUAL",
        ],
        .owner: [
            "owner INTEGER REFERENCES TABLE(id)", "owner INTEGER REFERENCES TABLE(id) ON DELETE CASCADE",
            "owner INTEGER REFERENCES TABLE(id) ON DELETE SET NULL",
            "owner INTEGER REFERENCES TABLE(id) ON UPDATE CASCADE",
            "owner INTEGER REFERENCES TABLE(id) DEFERRABLE INITIALLY DEFERRED", "owner INTEGER",
        ],
        .constraint: [
            "", ", UNIQUE(text, id)", ", UNIQUE(text COLLATE NOCASE, id)", ", UNIQUE(text DESC, id)",
            ", UNIQUE(text, id) ON CONFLICT REPLACE", ", UNIQUE(id, text)", ", CHECK(text <> 'never')",
            ", CHECK(text <> 'NEVER')",
        ],
        .options: ["", "STRICT", "WITHOUT ROWID", "STRICT, WITHOUT ROWID"],
        .wholeKey: [
            "PRIMARY KEY(text, id)", "PRIMARY KEY(text COLLATE NOCASE, id)", "PRIMARY KEY(text DESC, id)",
            "PRIMARY KEY(id, text)", "PRIMARY KEY(text, id) ON CONFLICT IGNORE",
        ],
        .index: [
            "(text)", "(text COLLATE NOCASE)", "(text COLLATE RTRIM)", "(text DESC)", "(text, number)", "(number)",
            "(text || '')", "(text || '' COLLATE NOCASE)", "(lower(text))", "(text) WHERE number > 1",
            "(text) WHERE number > 2", "(text) WHERE text > 'a' COLLATE NOCASE",
        ],
        .uniqueIndex: ["(text, id)", "(text COLLATE NOCASE, id)", "(text DESC, id)", "(id, text)"],
    ]

    private enum Part: CaseIterable {
        case key, text, number, owner, constraint, options, wholeKey, index, uniqueIndex
    }

    let name: String

    private func first(_ part: Part) -> String { Self.forms[part]?.first ?? "" }

    /// The statements that create the table, with a form of one part.
    private func definition(_ part: Part, _ form: String) -> String {
        func text(_ other: Part) -> String { other == part ? form : first(other) }
        let (key, constraint) =
            part == .wholeKey ? ("id INTEGER NOT NULL", ", " + form) : (text(.key), text(.constraint))
        let columns = [key, text(.text), text(.number), text(.owner)].joined(separator: ", ")
        // A foreign key refers to a key of one column.
        let references = part == .wholeKey ? columns.replacing(" REFERENCES TABLE(id)", with: "") : columns
        return """
            CREATE TABLE \(name)(\(references.replacing("TABLE", with: name))\(constraint)) \(text(.options)); \
            CREATE INDEX \(name)_index ON \(name)\(text(.index)); \
            CREATE UNIQUE INDEX \(name)_unique ON \(name)\(text(.uniqueIndex))
            """
    }

    /// Creates the table in one form, brings it to another one, and drops it.
    func check(_ world: World, _ dice: inout Dice) throws {
        let part = dice.choice(of: Part.allCases)
        let forms = Self.forms[part] ?? []
        let index = dice.number(below: forms.count)
        let other = (index + 1 + dice.number(below: forms.count - 1)) % forms.count
        let (found, declared) = (definition(part, forms[index]), definition(part, forms[other]))
        let rows = "INSERT INTO \(name)(id, text, owner) VALUES(1, 'alpha', NULL), (3, 'Beta', 1), (7, 'gamma', 3)"
        let subject = "\(forms[index]) in place of \(forms[other])"
        world.log(
            """
            try db.blocking.writeWithoutTransaction { c in
                try c.execute(#"\(found); \(rows)"#)
                let scratch = try Connection(":memory:")
                try scratch.execute(#"\(declared)"#)
                let definition = try scratch.tableInfo("\(name)")!
                try c.plan(toMatch: [definition]).apply(allowing: [.columns, .conversions])
                try c.execute("DROP TABLE \(name)")
            }
            """)
        let scratch = try Connection(":memory:")
        defer { scratch.close() }
        try scratch.execute("\(raw: declared)")
        guard let definition = try scratch.tableInfo(name) else { throw Violation(description: "no table \(name)") }
        let drift = try Schema("declared") { Version(1) { Execute("\(raw: found)") } }.drift(from: [definition])
        try require(!drift.changes.isEmpty, "a drift does not have \(subject)")
        try world.database.blocking.writeWithoutTransaction { connection in
            try connection.execute("\(raw: found); \(raw: rows)")
            let before = try self.rows(connection)
            let plan = try connection.plan(toMatch: [definition])
            try require(!plan.isEmpty, "a plan does not have \(subject)")
            try plan.apply(allowing: [.columns, .conversions])
            try require(
                connection.sync([definition]) == [name: .alreadyInSync], "a plan has not mended all of \(subject)")
            try require(structure(connection), equals: structure(scratch), "the structure after \(subject)")
            try require(self.rows(connection), equals: before, "rows after \(subject)")
            try connection.execute("DROP TABLE main.\(name: name)")
        }
        try require(
            Schema("declared") { Version(1) { Execute("\(raw: declared)") } }.drift(from: [definition]).changes.isEmpty,
            "the drift of a declaration to itself is not empty: \(declared)")
    }

    private func rows(_ connection: Connection) throws -> [String] {
        try connection.query(
            "SELECT id || ' ' || text || ' ' || ifnull(owner, '-') FROM main.\(name: name) ORDER BY id")
    }

    /// The table and its indexes as SQLite describes them.
    private func structure(_ connection: Connection) throws -> [String] {
        let indexes: [String] = try connection.query(
            """
            SELECT l.origin || l."unique" || l.partial || ': ' || group_concat(ifnull(x.name, '-') || x."desc" || x.coll || x.key)
            FROM pragma_index_list(\(name), 'main') AS l, pragma_index_xinfo(l.name, 'main') AS x GROUP BY l.name ORDER BY 1
            """)
        let keys: [String] = try connection.query(
            "SELECT \"from\" || on_update || on_delete FROM pragma_foreign_key_list(\(name), 'main') ORDER BY 1")
        let sql: [String] = try connection.query(
            "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = \(name) AND sql IS NOT NULL ORDER BY name"
        )
        let table = try connection.tableInfo(name).map { [$0.sql.text] } ?? []
        return indexes + keys + (table + sql).map { FileState.normalized($0, []) }
    }
}
