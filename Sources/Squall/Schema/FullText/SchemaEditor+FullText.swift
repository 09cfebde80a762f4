// FTS5 tables follow the tables whose rows they search.
//
// This protects data, so it does not depend on what a program imports: without it, an index would have the text of former rows.

extension SchemaEditor {
    /// Drops an FTS5 table, and the triggers and the view that Squall has made for it.
    package func drop(_ table: FullTextTable) throws {
        hasRemoved = true
        forgetDisconnected(table.name)
        let table = try connection.fullTextTable(table.name) ?? table
        for sql in table.dropping { try run(sql) }
    }

    /// Drops a table. The search tables over it lose their triggers, even if a later step creates a table of the same name.
    func dropTable(_ name: String) throws {
        let table = try table(name)
        let fullTextTables = try fullTextTables(of: table.name)
        hasRemoved = true
        try run("DROP TABLE main.\(name: table.name)")
        forgetDisconnected(table.name)
        disconnected += fullTextTables
    }

    private func forgetDisconnected(_ name: String) {
        disconnected.removeAll { $0.name.isSameName(as: name) }
    }

    /// Throws for a search table whose source was dropped, also if the source exists again.
    func checkDisconnected() throws {
        let catalog = connection.catalog()
        for table in disconnected where try catalog.has(.table, named: table.name) {
            guard let source = table.source, try catalog.has(.table, .view, named: source) else {
                throw Self.orphanError(Identifier(table.name))
            }
            throw SchemaError.inUse(
                "the table \"\(source)\", whose rows the search table \"\(table.name)\" searches, was dropped: "
                    + "drop the search table first, and create it again")
        }
    }

    /// The error for a search table whose source is missing.
    static func orphanError(_ table: Identifier) -> SchemaError {
        .inUse("the table whose rows the search table \(table) searches does not exist")
    }

    /// Throws for a search table that triggers write. SQLite would not rename the column in them that has the name of the table.
    func checkRenaming(_ name: String) throws {
        guard let table = try connection.fullTextTable(name), !table.ownTriggers.isEmpty else { return }
        throw SchemaError.invalid([
            "the search table \"\(table.name)\" cannot be renamed: drop it (DropSearchTable), and create it with the new name"
        ])
    }

    /// Returns the FTS5 tables over a table.
    private func fullTextTables(of table: String) throws -> [FullTextTable] {
        try connection.fullTextTables().filter { $0.source?.isSameName(as: table) == true }
    }

    /// Returns the FTS5 tables over a table that is about to be renamed, or a column of it.
    ///
    /// - Throws: `SQLiteError` for a table whose tokenizer is missing. SQLite would not find the table when it changes the triggers.
    func fullTextTables(renaming table: String) throws -> [FullTextTable] {
        for search in try connection.fullTextTables() where search.follows(table) {
            _ = try Statement(preparing: "SELECT 1 FROM main.\(name: search.name)", on: connection)
        }
        return try fullTextTables(of: table)
    }

    /// Changes the search tables over a table that has been renamed.
    func move(_ tables: [FullTextTable], to newName: String) throws {
        // SQLite has changed the view of the rows, which is the content of a table with a condition.
        for table in tables where table.content == .external && table.condition == nil {
            // The triggers, which SQLite has changed, are on the table's new name.
            var old = table
            old.source = newName
            try replace(old, by: old)
        }
    }

    /// Changes the search tables over a table one of whose columns has been renamed.
    func renameColumn(_ column: String, to newName: String, in tables: [FullTextTable]) throws {
        for var old in tables {
            // SQLite has renamed the column in the view.
            if old.condition != nil { old.condition = try old.storedView(connection.catalog())?.condition }
            var new = old
            for index in new.columns.indices where new.columns[index].name.isSameName(as: column) {
                new.columns[index].name = newName
            }
            if new.source != nil, new.rowID.isSameName(as: column) { new.rowID = newName }
            if new != old { try replace(old, by: new) }
        }
    }

    private func replace(_ old: FullTextTable, by new: FullTextTable) throws {
        if old.ownTriggers.isEmpty, old.columns != new.columns {
            throw SchemaError.inUse(
                "the search table \"\(old.name)\" reads the column, and its triggers are not those of Squall: drop it first"
            )
        }
        guard old.canBeRebuilt else { throw old.programTriggersError }
        // Views and triggers of the program may read the view of the rows.
        let broken = try old.condition == nil ? nil : Set(connection.brokenObjects().keys)
        let settings = try connection.query(
            "SELECT k, v FROM main.\(name: "\(old.name)_config") WHERE k <> 'version'", as: (String, BindingValue).self)
        for sql in old.dropping { try run(sql) }
        if let view = new.view() { try run(view) }
        try run(new.sql())
        // FTS5 keeps them beside the definition: the function of `rank`, and the sizes of its merges.
        for (key, value) in settings {
            try run("INSERT INTO main.\(name: new.name)(\(name: new.name), rank) VALUES(\(key), \(value))")
        }
        if !old.ownTriggers.isEmpty {
            for (name, sql) in zip(new.triggerNames, new.triggers())
            where try !connection.catalog().has(.trigger, named: name) { try run(sql) }
        }
        for sql in new.rebuilding { try run(sql) }
        if let broken { try checkObjects(except: broken) }
    }

    /// Creates Squall's triggers of the search tables again, after a step has created a trigger. SQLite runs the newest first: theirs then
    /// index the row of the statement before a trigger of the program writes it again.
    func renewSearchTriggers() throws {
        for table in try connection.fullTextTables() {
            for (name, sql) in zip(table.triggerNames, table.triggers()) where table.ownTriggers.contains(name) {
                try run("DROP TRIGGER main.\(name: name)")
                try run(sql)
            }
        }
    }

    /// The search tables whose source is missing.
    func orphanedFullText() throws -> Set<Identifier> {
        let catalog = connection.catalog()
        let orphans = try connection.fullTextTables().filter { table in
            guard table.content == .external, let source = table.source else { return false }
            return try !catalog.has(.table, .view, named: source)
        }
        return Set(orphans.map { Identifier($0.name) })
    }
}

// MARK: - Changes of the rows

extension SchemaEditor {
    /// Throws for a search table that reads one of the columns, which are about to be dropped without a rebuild.
    func checkDropping(_ columns: [ColumnDefinition], of table: TableDefinition) throws {
        let dropped = Set(columns.map { Identifier($0.name) })
        for search in try fullTextTables(of: table.name) {
            if let name = search.readNames.first(where: { dropped.contains(Identifier($0)) }) {
                throw search.readsError(name)
            }
        }
    }

    /// Throws for a search table whose content is a view that has lost a column, because a table has lost the columns of these names.
    func checkViews(over table: String, withoutColumns columns: [String]) throws {
        let lost = Set(columns.map { Identifier($0) })
        let searchTables = try connection.fullTextTables()
        guard !lost.isEmpty, !searchTables.isEmpty else { return }
        let views = try views(over: table)
        for search in searchTables {
            guard let source = search.source, views.contains(Identifier(source)) else { continue }
            let names = try Set(connection.catalog().columns(ofTable: source).map { Identifier($0.name) })
            let missing = search.readNames.first { lost.contains(Identifier($0)) && !names.contains(Identifier($0)) }
            if let missing { throw search.readsError(missing) }
        }
    }

    /// Returns the search tables to index again after a rebuild of a table, which may change their text and fires no trigger.
    ///
    /// - Throws: `SchemaError` for one that reads a column that is missing afterwards, and for one with other rows than those of its source:
    ///   only the triggers of the program know them.
    func fullTextTables(changedBy rebuild: TableRebuild) throws -> [FullTextTable] {
        let all = try connection.fullTextTables()
        guard !all.isEmpty else { return [] }
        let views = try views(over: rebuild.old.name)
        let kept = rebuild.old.columns.map(\.name).filter { rebuild.new.column($0) != nil }
        let changed = (kept + String.rowIDNames).filter { !rebuild.keepsText(ofColumn: $0) }
        // The condition of a view may read any column, and compare texts.
        let changesViews = !changed.isEmpty || !kept.allSatisfy(rebuild.keepsCollation)
        return try all.filter { table in
            var isChanged = false
            if let source = table.source, source.isSameName(as: rebuild.old.name) {
                if let missing = table.readNames.first(where: rebuild.loses) { throw table.readsError(missing) }
                isChanged = !table.readNames.allSatisfy(rebuild.keepsText)
            }
            if let source = table.source, views.contains(Identifier(table.rows(of: source))) {
                isChanged = isChanged || changesViews
            }
            let triggers = table.programTriggers.filter { $0.table == Identifier(rebuild.old.name) }
            guard isChanged || triggers.contains(where: { table.isDerived(by: $0, from: changed) }) else {
                return false
            }
            guard table.canBeRebuilt else { throw table.programTriggersError }
            return true
        }
    }

    /// Returns the views that read a table, directly or by other views, and perhaps some that only have its name for something else.
    private func views(over table: String) throws -> Set<Identifier> {
        let views = try connection.catalog().entries(.view, by: .creation).map { view in
            let names = SQLTokenizer.tokens(of: view.sql ?? "").filter { $0.kind == .word || $0.kind == .name }
            return (name: Identifier(view.name), names: Set(names.map { Identifier($0.text) }))
        }
        var read: Set = [Identifier(table)]
        while true {
            let found = views.filter { !read.contains($0.name) && !$0.names.isDisjoint(with: read) }
            if found.isEmpty { return read.subtracting([Identifier(table)]) }
            read.formUnion(found.map(\.name))
        }
    }
}

extension FullTextTable {
    /// The names by which the table reads its source, and all names of the condition: a name in double quotes could be that of a column.
    fileprivate var readNames: [String] {
        let condition = SQLTokenizer.tokens(of: condition?.text ?? "").filter { $0.kind == .word || $0.kind == .name }
        return columns.map(\.name) + [rowID] + condition.map(\.text)
    }

    /// Whether the table or the triggers that write it read a table.
    fileprivate func follows(_ table: String) -> Bool {
        source?.isSameName(as: table) == true || programTriggers.contains { $0.table == Identifier(table) }
    }

    /// Whether a trigger writes what it has read of one of the columns.
    fileprivate func isDerived(by trigger: ProgramTrigger, from columns: [String]) -> Bool {
        columns.contains { IndexTrigger.derives(trigger.sql, from: Identifier($0), indexes: [Identifier(name)]) }
    }

    fileprivate func readsError(_ column: String) -> SchemaError {
        .inUse("the search table \"\(name)\" reads the column \"\(column)\" of \"\(source ?? "")\": drop it first")
    }

    fileprivate var programTriggersError: SchemaError {
        .inUse(
            "the search table \"\(name)\" would have other text, and triggers of the program write it, which do not run: "
                + "drop it first, and create it again")
    }
}

extension TableRebuild {
    /// Returns whether the old table has a column or a rowid of this name, and the new one does not.
    fileprivate func loses(_ name: String) -> Bool {
        guard new.column(name) == nil else { return false }
        return name.isRowIDName ? new.isWithoutRowID && !old.isWithoutRowID : old.column(name) != nil
    }

    fileprivate func keepsCollation(ofColumn name: String) -> Bool {
        old.column(name)?.collation == new.column(name)?.collation
    }

    /// Returns whether the rows keep the text of a column. A generated column may depend on any other column, and
    /// the name `rowid` is another name of the key.
    fileprivate func keepsText(ofColumn name: String) -> Bool {
        let (before, after) = (old.column(name), new.column(name))
        if before == nil, after == nil, let key = new.rowIDColumn ?? old.rowIDColumn { return keepsText(ofColumn: key) }
        if before?.generated != nil || after?.generated != nil {
            return before == after && old.columns.allSatisfy { $0.generated != nil || keepsText(ofColumn: $0.name) }
        }
        let id = Identifier(name)
        return copiesRows && fillings[id] == nil && !added.contains(id) && before?.type == after?.type
            && old.isStrict == new.isStrict
    }
}
