/// The instructions for copying the rows of a table into its replacement.
struct TableRebuild {
    /// The current definition of the table.
    var old: TableDefinition
    /// The new definition of the table. Its indexes are not created.
    var new: TableDefinition
    /// The expressions over the old row that fill columns. A column without one gets the value of the old column of that
    /// name, or its default.
    var fillings: [Identifier: SQL] = [:]
    /// The new columns. An old column of the same name is unrelated.
    var added: Set<Identifier> = []
    /// The former names of columns, and the current name for each. Fillings may use both.
    var aliases: [(name: Identifier, column: Identifier)] = []
    /// The indexes that are not created again.
    var droppedIndexes: Set<Identifier> = []
    /// Whether the rows are kept.
    var copiesRows = true
}

extension SchemaEditor {
    /// Replaces a table by one with another definition, and keeps all rows:
    ///
    ///     CREATE TABLE "squall_new_t"(…)
    ///     INSERT OR ABORT INTO main."squall_new_t"(rowid, "a") SELECT rowid, "a" FROM main."t"
    ///     DROP TABLE main."t"
    ///     ALTER TABLE main."squall_new_t" RENAME TO "t"
    ///     CREATE INDEX main.…; CREATE TRIGGER main.…
    ///
    /// No trigger of the table fires. It is the procedure of SQLite's manual in 12 steps (ALTER TABLE, "Making Other
    /// Kinds Of Table Schema Changes"), and the comments have its numbers. The steps around it belong to the caller,
    /// because several rebuilds share them:
    ///
    /// - 1 and 12: foreign keys are off, because `DROP TABLE` would delete the rows of other tables that refer to this one. See
    ///   ``Connection/withoutForeignKeys(_:_:)``.
    /// - 2 and 11: one transaction for all, of a version (`Migration`) or of a plan (`SchemaPlan.apply(allowing:)`).
    /// - 9: no view is created again, because each keeps its SQL. ``check(against:_:)`` finds those that no longer work.
    /// - 10: ``check(against:_:)`` checks the foreign keys, and tolerates faults that the file had before.
    func rebuild(_ rebuild: TableRebuild) throws {
        let (old, new) = (rebuild.old, rebuild.new)
        try SchemaComparison(connection).checkUnderstanding(of: old)
        let fullTextTables = try fullTextTables(changedBy: rebuild)
        let temporaryName = try connection.catalog().freeName("squall_new_\(old.name)")
        // 3. Remember the indexes and triggers, but not the views, which `DROP TABLE` keeps. It deletes the
        // AUTOINCREMENT mark and the statistics, which the manual does not mention.
        let dependents = try Dependents(of: old.name, on: connection)
        hasRemoved = true

        do {
            // 4. Create the new table.
            try run(new.sql(named: temporaryName))
            // 5. Copy the rows.
            if rebuild.copiesRows { try copyRows(rebuild, into: temporaryName) }
        } catch let error as SQLiteError {
            throw error.naming(old.name, insteadOf: temporaryName)
        }
        // Not in the manual, for 6 and 7. Without it, `DROP TABLE` and `RENAME` fail if a view or a trigger of another
        // table names the table.
        let isLegacy: Bool = try connection.query("PRAGMA legacy_alter_table")
        do {
            // The pragma takes effect when it is prepared, even if it then throws.
            defer { if !isLegacy { connection.cleanUp("PRAGMA legacy_alter_table = OFF") } }
            if !isLegacy { try run("PRAGMA legacy_alter_table = ON") }
            // 6. Drop the old table.
            try run("DROP TABLE main.\(name: old.name)")
            // 7. Rename the new table.
            try run("ALTER TABLE main.\(name: temporaryName) RENAME TO \(name: old.name)")
        }
        if !isLegacy { add(toLog: "PRAGMA legacy_alter_table = OFF") }
        // Not in the manual, after 7: only then does the mark have the name of the table.
        if new.isAutoincrement && old.isAutoincrement { try restoreMark(dependents.autoincrementMark, of: old.name) }
        // 8. Create the indexes and triggers again, and restore the statistics. Index the search tables again, because
        // no trigger has fired.
        try restore(dependents, of: old.name, without: rebuild.droppedIndexes)
        try checkViews(
            over: old.name, withoutColumns: old.columns.map(\.name).filter { new.column($0) == nil })
        for table in fullTextTables { for sql in table.rebuilding { try run(sql) } }
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

    /// Restores the AUTOINCREMENT mark, which copying has changed. A table that never had a row has no mark.
    private func restoreMark(_ mark: Int64?, of name: String) throws {
        let found: Int64? = try connection.query("SELECT seq FROM main.sqlite_sequence WHERE name = \(name)")
        guard found != mark else { return }
        try run("DELETE FROM main.sqlite_sequence WHERE name = \(name)")
        if let mark { try run("INSERT INTO main.sqlite_sequence(name, seq) VALUES(\(name), \(mark))") }
    }
}

extension SQLiteError {
    /// Returns the error of a rebuild with the table's name in place of the temporary name of its copy.
    fileprivate func naming(_ table: String, insteadOf copy: String) -> SQLiteError {
        let isOfRows = resultCode == .constraint || resultCode == .mismatch
        let cure =
            "the rows of \"\(table)\" do not fit its new definition: change them first (Execute, fillingWith:)"
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

    /// A name for the rowid that no column uses.
    var rowIDName: String? {
        isWithoutRowID ? nil : .rowIDName(besides: columns.map(\.name))
    }

    func column(_ name: String) -> ColumnDefinition? {
        columns.first { $0.name.isSameName(as: name) }
    }
}

/// The objects that `DROP TABLE` drops with a table, and the statistics that SQLite has recorded about it.
private struct Dependents {
    /// An index or a trigger.
    struct Object {
        let kind: SchemaCatalog.Entry.Kind
        let name: String
        let sql: String
        let schema: String
    }

    /// The indexes, then the triggers. Indexes that SQLite created for constraints have no SQL; the constraints create them
    /// again.
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
    /// Returns whether the object exists and belongs to the table.
    fileprivate func exists(for table: String, on connection: Connection) throws -> Bool {
        let entry = try connection.catalog(of: schema).entry(kind, named: name)
        return entry?.name == name && entry?.table.isSameName(as: table) == true
    }
}
