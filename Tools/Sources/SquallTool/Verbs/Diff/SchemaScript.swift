import Squall

/// The SQL that turns one schema into another, and keeps the rows.
///
/// A table that `ALTER TABLE` cannot change is renamed, created again as the second file has it, and filled from the old one:
/// the result is the definition of the second file, word by word. Names in triggers, views and foreign keys are not touched by
/// the renaming (`legacy_alter_table`).
struct SchemaScript {
    private let comparison: SchemaDiff
    private(set) var statements: [String] = []
    /// The tables and views that are new, or created again. Their indexes and triggers have gone with the old ones.
    private var created: Set<Identifier> = []
    private let changedIndexes: Set<Identifier>

    init(_ comparison: SchemaDiff) {
        self.comparison = comparison
        changedIndexes = Set(comparison.differences.filter { $0.kind == "index" }.map { Identifier($0.name) })
        dropTriggersAndViews()
        dropTables()
        dropIndexes()
        changeTables()
        createTables()
        createIndexesViewsAndTriggers()
    }

    private var old: SchemaObjects { comparison.old }
    private var new: SchemaObjects { comparison.new }

    /// The statements in a transaction.
    ///
    /// - Parameter checksKeys: Whether SQLite can check the foreign keys of the second schema.
    func text(from: String, to: String, checksKeys: Bool) -> String {
        let statements = statements.joined(separator: "\n")
        let shell = "squall shell FILE --write < SCRIPT"
        // SQLite's shell changes the line ends of names and texts.
        let shells = statements.utf8.contains(UInt8(ascii: "\r")) ? shell : "\(shell), or sqlite3 -bail FILE < SCRIPT"
        let check =
            checksKeys
            ? "-- Rows that refer to rows that do not exist:\nPRAGMA foreign_key_check;"
            : "-- Foreign keys are not checked: one refers to columns that do not exist, or are not unique."
        return """
            -- Turns the schema of \(from.printable) into that of \(to.printable).
            -- Stop at the first error: \(shells).
            PRAGMA foreign_keys = OFF;
            PRAGMA legacy_alter_table = ON;
            BEGIN IMMEDIATE;
            \(statements)
            \(check)
            COMMIT;
            PRAGMA legacy_alter_table = OFF;

            """
    }

    private mutating func add(_ sql: String) {
        statements.append(sql.withSemicolon)
    }

    private mutating func note(_ text: String) {
        statements.append("-- \(text.printable)")
    }

    private func isRebuilt(_ table: String) -> Bool {
        comparison.tableChanges[Identifier(table)].map { $0.count != appendedColumns(to: table)?.count } ?? false
    }

    private func isGone(_ object: SchemaEntry) -> Bool {
        guard let other = new.object(object.kind, object.name) else { return true }
        switch object.kind {
        case .table:
            return object.isVirtual != other.isVirtual || object.isVirtual && !SchemaDiff.areAlike(object, other)
        case .index: return changedIndexes.contains(Identifier(object.name))
        case .trigger, .view: return !SchemaDiff.areAlike(object, other)
        }
    }

    private mutating func dropTriggersAndViews() {
        for trigger in old.objects(.trigger) where isGone(trigger) || isRebuilt(trigger.table) {
            // A trigger is dropped with its table or view.
            if (old.objects(.table) + old.objects(.view)).contains(where: {
                Identifier($0.name) == Identifier(trigger.table) && isGone($0)
            }) {
                continue
            }
            add("DROP TRIGGER \(trigger.name.quotedName)")
        }
        for view in old.objects(.view) where isGone(view) {
            add("DROP VIEW \(view.name.quotedName)")
        }
    }

    private mutating func dropTables() {
        for table in old.objects(.table) where isGone(table) {
            let isChanged = new.object(.table, table.name) != nil
            note(
                "\(isChanged ? "Creates the table \(table.name) again, without" : "Drops the table \(table.name) with") its rows."
            )
            add("DROP TABLE \(table.name.quotedName)")
        }
    }

    private mutating func dropIndexes() {
        for index in old.objects(.index) where isGone(index) || isRebuilt(index.table) {
            if old.object(.table, index.table).map(isGone) ?? false { continue }
            add("DROP INDEX \(index.name.quotedName)")
        }
    }

    private mutating func createTables() {
        let missing = new.objects(.table).filter { table in old.object(.table, table.name).map(isGone) ?? true }
        // A virtual table may be about an ordinary one.
        for table in missing.filter({ !$0.isVirtual }) + missing.filter(\.isVirtual) {
            add(table.sql)
            created.insert(Identifier(table.name))
        }
    }

    private mutating func createIndexesViewsAndTriggers() {
        for index in new.objects(.index) {
            let isKept = old.object(.index, index.name).map { !isGone($0) } ?? false
            if !isKept || created.contains(Identifier(index.table)) { add(index.sql) }
        }
        for view in new.objects(.view) where old.object(.view, view.name).map(isGone) ?? true {
            add(view.sql)
            created.insert(Identifier(view.name))
        }
        for trigger in new.objects(.trigger) {
            let isKept = old.object(.trigger, trigger.name).map { !isGone($0) } ?? false
            if !isKept || created.contains(Identifier(trigger.table)) { add(trigger.sql) }
        }
    }
}

// MARK: - Tables that change

extension SchemaScript {
    private mutating func changeTables() {
        for table in new.objects(.table) where comparison.tableChanges[Identifier(table.name)] != nil {
            let name = Identifier(table.name)
            guard let before = old.definitions[name], let after = new.definitions[name] else { continue }
            if let columns = appendedColumns(to: table.name) {
                for column in columns {
                    add("ALTER TABLE \(before.name.quotedName) ADD COLUMN \(column.sql.text)")
                }
            } else {
                rebuild(before, as: after, table.sql)
                created.insert(name)
            }
        }
    }

    /// Returns the new columns of a table, if they are its only changes and `ALTER TABLE` can add them after the others.
    private func appendedColumns(to table: String) -> [ColumnDefinition]? {
        let name = Identifier(table)
        guard let changes = comparison.tableChanges[name], let before = old.definitions[name],
            let after = new.definitions[name]
        else { return nil }
        let columns = changes.compactMap { change in
            if case .addColumn(let column, _) = change, column.canBeAppended { column } else { nil }
        }
        let order = (before.columns + columns).map { Identifier($0.name) }
        return columns.count == changes.count && order == after.columns.map { Identifier($0.name) } ? columns : nil
    }

    private mutating func rebuild(_ before: TableDefinition, as after: TableDefinition, _ sql: String) {
        for column in before.columns where column.generated == nil && after.column(column.name) == nil {
            note("Drops the column \(before.name).\(column.name) with its values.")
        }
        for column in after.columns where before.column(column.name) == nil && column.needsValue(in: after) {
            note(
                "Fails if the table \(before.name) has rows: its column \(column.name) must not be NULL, and has no default."
            )
        }
        let taken = Set(old.all.map { Identifier($0.name) } + new.all.map { Identifier($0.name) })
        var temporary = "squall_old_\(before.name)"
        while taken.contains(Identifier(temporary)) { temporary += "_" }
        add("ALTER TABLE \(before.name.quotedName) RENAME TO \(temporary.quotedName)")
        add(sql)
        copyRows(from: before, to: after, temporary)
        if before.isAutoincrement, after.isAutoincrement { keepSequence(of: after.name, temporary) }
        add("DROP TABLE \(temporary.quotedName)")
    }

    private mutating func copyRows(from before: TableDefinition, to after: TableDefinition, _ temporary: String) {
        var columns = after.columns.filter { column in
            column.generated == nil && before.column(column.name).map { $0.generated == nil } ?? false
        }.map(\.name.quotedName)
        var values = columns
        let key = after.rowIDColumn
        let hasKey = key.map { before.column($0) != nil } ?? false
        // A new INTEGER PRIMARY KEY gets the rowids.
        if !hasKey, let rowID = before.rowIDName, let other = after.rowIDName {
            columns.insert(other, at: 0)
            values.insert(rowID, at: 0)
        }
        guard !columns.isEmpty else { return note("No column of the table \(before.name) is kept.") }
        // A conflict clause of the table, such as ON CONFLICT IGNORE, would skip rows silently.
        add(
            "INSERT OR ABORT INTO \(after.name.quotedName)(\(columns.joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) FROM \(temporary.quotedName)"
        )
    }

    /// Keeps the highest key that AUTOINCREMENT has used, which may be one of a deleted row.
    private mutating func keepSequence(of table: String, _ temporary: String) {
        let (name, other) = (table.textLiteral, temporary.textLiteral)
        add("DELETE FROM sqlite_sequence WHERE name = \(name)")
        add("INSERT INTO sqlite_sequence(name, seq) SELECT \(name), seq FROM sqlite_sequence WHERE name = \(other)")
    }
}

extension TableDefinition {
    fileprivate var isAutoincrement: Bool { columns.contains { $0.primaryKey?.isAutoincrement == true } }

    func column(_ name: String) -> ColumnDefinition? {
        columns.first { Identifier($0.name) == Identifier(name) }
    }

    /// A name for the rowid that no column has; `nil` for a table without one.
    var rowIDName: String? {
        guard !isWithoutRowID else { return nil }
        return ["rowid", "_rowid_", "oid"].first { column($0) == nil }
    }
}

extension ColumnDefinition {
    /// Whether `ALTER TABLE … ADD COLUMN` accepts the column, also for a table with rows.
    fileprivate var canBeAppended: Bool {
        guard primaryKey == nil, unique == nil, generated.map({ !$0.isStored }) ?? true else { return false }
        guard let defaultValue else { return notNull == nil || generated != nil }
        // Expressions such as CURRENT_TIMESTAMP and (random()) are refused, as is a reference that is not NULL.
        let text = defaultValue.text.asciiUppercased
        return !text.hasPrefix("(") && !text.hasPrefix("CURRENT_") && (references.isEmpty || text == "NULL")
            && !(notNull != nil && text == "NULL")
    }

    fileprivate func needsValue(in table: TableDefinition) -> Bool {
        let isKey = table.rowIDColumn.map { Identifier($0) == Identifier(name) } ?? false
        return notNull != nil && defaultValue == nil && generated == nil && !isKey
    }
}
