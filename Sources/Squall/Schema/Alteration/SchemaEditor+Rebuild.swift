import Foundation

/// How the rows of a table get into the one that takes its place.
struct TableRebuild {
    /// The table as it is in the file.
    var old: TableDefinition
    /// The table as it is to be. Its indexes count only where they are named in `indexes`.
    var new: TableDefinition
    /// What a column is filled with, by its name in lower case: an expression over the old row. Columns that are not here
    /// have the value of the old column of the same name, or their default.
    var fillings: [String: SQL] = [:]
    /// The columns, by name in lower case, that are new: one of the old table of the same name is another.
    var added: Set<String> = []
    /// The names that columns had before: old names to present ones. Fillings may use both.
    var aliases: [(name: String, column: String)] = []
    /// The indexes, by name in lower case, that are not made again.
    var droppedIndexes: Set<String> = []
}

extension SchemaEditor {
    /// Puts a table with another definition in the place of one, with all rows:
    ///
    ///     CREATE TABLE "squall_new_t"(…)
    ///     INSERT OR ABORT INTO "squall_new_t"(rowid, "a") SELECT rowid, "a" FROM "t"
    ///     DROP TABLE "t"
    ///     ALTER TABLE "squall_new_t" RENAME TO "t"
    ///     CREATE INDEX …; CREATE TRIGGER …
    ///
    /// Foreign keys must be off: DROP TABLE would delete the rows of other tables that refer to this one.
    func rebuild(_ rebuild: TableRebuild) throws {
        let (old, new) = (rebuild.old, rebuild.new)
        try checkUnderstanding(of: old)
        let temporaryName = try freeName("squall_new_\(old.name)")
        let dependents = try Dependents(of: old.name, on: connection)
        hasRemoved = true

        try run(new.sql(named: temporaryName))
        try copyRows(rebuild, into: temporaryName)
        // Otherwise DROP TABLE and RENAME fail where a view or another table's trigger names the table.
        let isLegacy: Bool = try connection.query("PRAGMA legacy_alter_table")
        if !isLegacy { try run("PRAGMA legacy_alter_table = ON") }
        do {
            defer { if !isLegacy { connection.cleanUp("PRAGMA legacy_alter_table = OFF") } }
            try run("DROP TABLE \(name: old.name)")
            try run("ALTER TABLE \(name: temporaryName) RENAME TO \(name: old.name)")
        }
        if !isLegacy { add(toLog: "PRAGMA legacy_alter_table = OFF") }
        if let mark = dependents.autoincrementMark, new.isAutoincrement {
            try restoreMark(mark, ofTable: old.name)
        }
        for index in dependents.indexes where !rebuild.droppedIndexes.contains(index.name.lowercased()) {
            try run(SQL(raw: index.sql))
        }
        for trigger in dependents.triggers { try run(SQL(raw: trigger)) }
        for line in dependents.statistics where !rebuild.droppedIndexes.contains(line.index?.lowercased() ?? "") {
            try run("INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES(\(old.name), \(line.index), \(line.text))")
        }
    }

    /// A key that was given once is not given again.
    private func restoreMark(_ mark: Int64, ofTable name: String) throws {
        let hasRow: Bool = try connection.query("SELECT EXISTS(SELECT 1 FROM sqlite_sequence WHERE name = \(name))")
        if hasRow {
            try run("UPDATE sqlite_sequence SET seq = max(seq, \(mark)) WHERE name = \(name)")
        } else {
            try run("INSERT INTO sqlite_sequence(name, seq) VALUES(\(name), \(mark))")
        }
    }
}

extension TableDefinition {
    var isAutoincrement: Bool { columns.contains { $0.primaryKey?.isAutoincrement == true } }

    /// A name for the rowid that no column has taken.
    var rowIDName: String? {
        guard !isWithoutRowID else { return nil }
        let names = Set(columns.map { $0.name.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    }

    func column(_ name: String) -> ColumnDefinition? {
        columns.first { $0.name.lowercased() == name.lowercased() }
    }
}

/// What DROP TABLE takes with a table.
private struct Dependents {
    /// Those that SQLite has made itself for a constraint have no SQL, and come back with it.
    var indexes: [(name: String, sql: String)]
    var triggers: [String]
    var autoincrementMark: Int64?
    var statistics: [(index: String?, text: String?)] = []

    init(of table: String, on connection: Connection) throws {
        indexes = try connection.query(
            """
            SELECT name, sql FROM sqlite_master \
            WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = \(table) COLLATE NOCASE ORDER BY rowid
            """
        ) { (try $0.get(0), try $0.get(1)) }
        triggers = try connection.query(
            "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = \(table) COLLATE NOCASE ORDER BY rowid"
        )
        // Those of this connection alone. SQLite has left TEMP out of their SQL.
        let temporary: [String] = try connection.query(
            """
            SELECT sql FROM sqlite_temp_master WHERE type = 'trigger' AND tbl_name = \(table) COLLATE NOCASE \
            AND NOT EXISTS(SELECT 1 FROM sqlite_temp_master WHERE type IN ('table', 'view') AND name = \(table) COLLATE NOCASE)
            """
        )
        triggers += temporary.map {
            $0.replacing(/^CREATE\s+(TEMP\s+|TEMPORARY\s+)?TRIGGER/.ignoresCase()) { _ in "CREATE TEMP TRIGGER" }
        }
        if try connection.tableExists("sqlite_sequence") {
            autoincrementMark = try connection.query("SELECT seq FROM sqlite_sequence WHERE name = \(table)")
        }
        if try connection.tableExists("sqlite_stat1") {
            statistics = try connection.query("SELECT idx, stat FROM sqlite_stat1 WHERE tbl = \(table)") {
                (try $0.get(0), try $0.get(1))
            }
        }
    }
}

extension Connection {
    func tableExists(_ name: String) throws -> Bool {
        try query("SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(name) COLLATE NOCASE)")
    }
}
