extension SchemaEditor {
    /// Changes a table, step by step. Consecutive steps that need a rebuild share one.
    func alter(_ name: String, _ alterations: [TableAlteration]) throws {
        var aliases: [(name: Identifier, column: Identifier)] = []
        var pending: [TableAlteration] = []
        for alteration in alterations {
            guard case .rename(let column, let newName) = alteration else {
                pending.append(alteration)
                continue
            }
            try change(name, pending, aliases)
            for case .drop(let dropped) in pending { aliases.removeAll { $0.column == Identifier(dropped) } }
            pending = []
            try renameColumn(column, to: newName, of: name)
            for index in aliases.indices where aliases[index].column == Identifier(column) {
                aliases[index].column = Identifier(newName)
            }
            if !aliases.contains(where: { $0.name == Identifier(column) }) {
                aliases.append((Identifier(column), Identifier(newName)))
            }
        }
        try change(name, pending, aliases)
    }

    /// Runs `ALTER TABLE "t" RENAME COLUMN "a" TO "b"`. SQLite renames the column in indexes, triggers, views and keys as
    /// well.
    private func renameColumn(_ column: String, to newName: String, of name: String) throws {
        let table = try table(name)
        guard let old = table.column(column) else { throw SchemaError.notFound("column \"\(name)\".\"\(column)\"") }
        let fullTextTables = try fullTextTables(renaming: table.name)
        var oldName = old.name
        if newName.isSameName(as: oldName), newName != oldName {
            // SQLite takes the other spelling for another column of the same name.
            let temporaryName = "squall_renamed_\(oldName)"
            try runPastBrokenObjects(
                "ALTER TABLE main.\(name: table.name) RENAME COLUMN \(name: oldName) TO \(name: temporaryName)")
            oldName = temporaryName
        }
        try runPastBrokenObjects(
            "ALTER TABLE main.\(name: table.name) RENAME COLUMN \(name: oldName) TO \(name: newName)")
        try renameColumn(old.name, to: newName, in: fullTextTables)
        try checkViews(over: table.name, withoutColumns: [old.name])
    }

    private func change(
        _ name: String, _ alterations: [TableAlteration], _ aliases: [(name: Identifier, column: Identifier)]
    ) throws {
        guard !alterations.isEmpty else { return }
        let old = try table(name)
        var draft = TableDraft(old, aliases: aliases)
        for alteration in alterations { try draft.apply(alteration) }
        if let columns = draft.addedAlone {
            for column in columns { try run("ALTER TABLE main.\(name: old.name) ADD COLUMN \(column.sql)") }
            return
        }
        if let columns = draft.droppedAlone {
            try checkDropping(columns, of: old)
            hasRemoved = true
            if try dropColumns(columns, of: old) {
                return try checkViews(over: old.name, withoutColumns: columns.map(\.name))
            }
        }
        let rebuild = try draft.finish()
        try checkAddedColumns(rebuild)
        try self.rebuild(rebuild)
    }

    /// Runs `ALTER TABLE "t" DROP COLUMN "a"`, and returns `false` if SQLite refuses because something uses the column.
    private func dropColumns(_ columns: [ColumnDefinition], of table: TableDefinition) throws -> Bool {
        let length = log.count
        do {
            try connection.savepoint(named: "squall_drop") {
                for column in columns {
                    try run("ALTER TABLE main.\(name: table.name) DROP COLUMN \(name: column.name)")
                }
            }
            return true
        } catch let error as SQLiteError where error.resultCode == .error {
            forgetLog(from: length)
            return false
        }
    }

    /// Replaces a table by an empty one with another definition. Its indexes and triggers are created again where they still
    /// fit. No trigger fires for the lost rows.
    func recreate(_ old: TableDefinition, as new: TableDefinition) throws {
        hasRemoved = true
        var draft = TableDraft(old, aliases: [])
        try draft.apply(.replace(new, droppedIndexes: []))
        var rebuild = try draft.finish()
        rebuild.copiesRows = false
        try self.rebuild(rebuild)
    }

    /// Checks, before anything is copied, for new columns that would fail for every row.
    private func checkAddedColumns(_ rebuild: TableRebuild) throws {
        let impossible = rebuild.new.columns.filter { column in
            rebuild.added.contains(Identifier(column.name)) && column.needsValue
                && rebuild.fillings[Identifier(column.name)] == nil && column.name != rebuild.new.rowIDColumn
        }
        guard let column = impossible.first,
            try connection.query("SELECT EXISTS(SELECT 1 FROM main.\(name: rebuild.old.name))")
        else { return }
        throw SchemaError.obstacles([Obstacle.notNull(column.name, of: rebuild.old.name)])
    }
}

enum Obstacle {
    static func notNull(_ column: String, of table: String) -> String {
        """
        "\(table)" has rows, and the new column "\(column)" is NOT NULL without a default: give it a default, or fill it \
        (AddColumn(…, fillingWith:) in a Version)
        """
    }
}
