/// How the rows of a table get into the one that takes its place.
struct TableRebuild {
    /// The table as it is in the file.
    var old: TableDefinition
    /// The table as it is to be. Its indexes are not created.
    var new: TableDefinition
    /// The expressions over the old row that fill columns. Other columns have the value of the old column of the same name,
    /// or their default.
    var fillings: [Identifier: SQL] = [:]
    /// The columns that are new: one of the old table of the same name is another.
    var added: Set<Identifier> = []
    /// The names that columns had before: old names to present ones. Fillings may use both.
    var aliases: [(name: Identifier, column: Identifier)] = []
    /// The indexes that are not created again.
    var droppedIndexes: Set<Identifier> = []
    /// Whether the rows are kept.
    var copiesRows = true
}

extension SchemaEditor {
    /// Puts a table with another definition in the place of one, with all rows:
    ///
    ///     CREATE TABLE "squall_new_t"(…)
    ///     INSERT OR ABORT INTO main."squall_new_t"(rowid, "a") SELECT rowid, "a" FROM main."t"
    ///     DROP TABLE main."t"
    ///     ALTER TABLE main."squall_new_t" RENAME TO "t"
    ///     CREATE INDEX main.…; CREATE TRIGGER main.…
    ///
    /// No trigger of the table fires. Foreign keys must be off: DROP TABLE would delete the rows of other tables that refer
    /// to this one.
    func rebuild(_ rebuild: TableRebuild) throws {
        let (old, new) = (rebuild.old, rebuild.new)
        try checkUnderstanding(of: old)
        let temporaryName = try connection.catalog().freeName("squall_new_\(old.name)")
        let dependents = try Dependents(of: old.name, on: connection)
        hasRemoved = true

        do {
            try run(new.sql(named: temporaryName))
            if rebuild.copiesRows { try copyRows(rebuild, into: temporaryName) }
        } catch let error as SQLiteError {
            throw error.naming(old.name, insteadOf: temporaryName)
        }
        // Otherwise DROP TABLE and RENAME fail where a view or another table's trigger names the table.
        let isLegacy: Bool = try connection.query("PRAGMA legacy_alter_table")
        do {
            // It takes effect when it is prepared, also where it then throws.
            defer { if !isLegacy { connection.cleanUp("PRAGMA legacy_alter_table = OFF") } }
            if !isLegacy { try run("PRAGMA legacy_alter_table = ON") }
            try run("DROP TABLE main.\(name: old.name)")
            try run("ALTER TABLE main.\(name: temporaryName) RENAME TO \(name: old.name)")
        }
        if !isLegacy { add(toLog: "PRAGMA legacy_alter_table = OFF") }
        if new.isAutoincrement && old.isAutoincrement { try restoreMark(dependents.autoincrementMark, of: old.name) }
        try restore(dependents, of: old.name, without: rebuild.droppedIndexes)
    }

    private func restore(_ dependents: Dependents, of table: String, without dropped: Set<Identifier>) throws {
        for object in dependents.objects where object.kind != .index || !dropped.contains(Identifier(object.name)) {
            try create(object.name, by: SQL(raw: object.sql), in: object.schema)
            guard try object.exists(for: table, on: connection) else {
                throw SchemaError.invalid(["the SQL of \"\(object.name)\" is not understood: \(object.sql)"])
            }
        }
        for line in dependents.statistics where !(line.index.map { dropped.contains(Identifier($0)) } ?? false) {
            try run("INSERT INTO main.sqlite_stat1(tbl, idx, stat) VALUES(\(table), \(line.index), \(line.text))")
        }
    }

    /// Sets the AUTOINCREMENT mark to its old value, after copying has changed it. A table that never had a row has none.
    private func restoreMark(_ mark: Int64?, of name: String) throws {
        let found: Int64? = try connection.query("SELECT seq FROM main.sqlite_sequence WHERE name = \(name)")
        guard found != mark else { return }
        try run("DELETE FROM main.sqlite_sequence WHERE name = \(name)")
        if let mark { try run("INSERT INTO main.sqlite_sequence(name, seq) VALUES(\(name), \(mark))") }
    }
}

extension SQLiteError {
    /// The error of a rebuild in the user's words: with the name of the table instead of that of its new copy.
    fileprivate func naming(_ table: String, insteadOf copy: String) -> SQLiteError {
        let isOfRows = resultCode == .constraint || resultCode == .mismatch
        let cure =
            "the rows of \"\(table)\" do not fit the table as it is to be: change them first (Execute, fillingWith:)"
        return changed {
            $0.message = message.replacing(copy, with: table)
            $0.sql = sql?.replacing(copy, with: table)
            $0.offset = nil
            if isOfRows { $0.hint = cure }
        }
    }
}

extension TableDefinition {
    var isAutoincrement: Bool { columns.contains { $0.primaryKey?.isAutoincrement == true } }

    /// A name for the rowid that no column has taken.
    var rowIDName: String? {
        guard !isWithoutRowID else { return nil }
        let names = Set(columns.map { Identifier($0.name) })
        return ["rowid", "_rowid_", "oid"].first { !names.contains(Identifier($0)) }
    }

    func column(_ name: String) -> ColumnDefinition? {
        columns.first { $0.name.isSameName(as: name) }
    }
}

/// The objects that DROP TABLE drops with a table, and what SQLite has recorded about it.
private struct Dependents {
    /// An index or a trigger.
    struct Object {
        let kind: SchemaCatalog.Entry.Kind
        let name: String
        let sql: String
        let schema: String
    }

    /// Indexes, then triggers. An index that SQLite has made for a constraint has no SQL, and comes back with it.
    var objects: [Object]
    var autoincrementMark: Int64?
    var statistics: [(index: String?, text: String?)] = []

    init(of table: String, on connection: Connection) throws {
        let catalog = connection.catalog()
        let entries =
            try catalog.entries(.index, ofTable: table, by: .creation)
            + catalog.entries(.trigger, ofTable: table, by: .creation)
        objects = entries.compactMap { entry in
            entry.sql.map { Object(kind: entry.kind, name: entry.name, sql: $0, schema: "main") }
        }
        objects += try connection.temporaryTriggers(of: table).map {
            Object(kind: .trigger, name: $0.name, sql: $0.sql, schema: "temp")
        }
        if try catalog.has(.table, named: "sqlite_sequence") {
            autoincrementMark = try connection.query("SELECT seq FROM main.sqlite_sequence WHERE name = \(table)")
        }
        if try catalog.has(.table, named: "sqlite_stat1") {
            statistics = try connection.query("SELECT idx, stat FROM main.sqlite_stat1 WHERE tbl = \(table)") {
                (try $0.get(0), try $0.get(1))
            }
        }
    }
}

extension Dependents.Object {
    /// Whether the object is there, and belongs to the table.
    fileprivate func exists(for table: String, on connection: Connection) throws -> Bool {
        let entry = try connection.catalog(of: schema).entry(kind, named: name)
        return entry?.name == name && entry?.table.isSameName(as: table) == true
    }
}
