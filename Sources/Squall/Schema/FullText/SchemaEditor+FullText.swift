// FTS5 tables follow the tables whose rows they search.
//
// This protects data, so it does not depend on what a program imports: without it, an index would have the text of former rows.

extension SchemaEditor {
    /// Drops an FTS5 table, and the triggers that Squall has made for it.
    package func drop(_ table: FullTextTable) throws {
        hasRemoved = true
        forgetDisconnected(table.name)
        for name in try connection.fullTextTable(table.name)?.ownTriggers ?? [] {
            try run("DROP TRIGGER main.\(name: name)")
        }
        try run("DROP TABLE main.\(name: table.name)")
        if table.condition != nil { try run("DROP VIEW main.\(name: table.viewName)") }
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

    /// Throws for a search table whose source was dropped and exists again. One with a copy of the text may outlive its source.
    func checkDisconnected() throws {
        for table in disconnected {
            guard let source = table.source, try connection.catalog().has(.table, .view, named: source) else {
                continue
            }
            throw SchemaError.inUse(
                "the table \"\(source)\", whose rows the search table \"\(table.name)\" searches, was dropped: "
                    + "drop the search table first, and create it again")
        }
    }

    /// Throws for a search table that triggers write. SQLite would not rename the column in them that has the name of the table.
    func checkRenaming(_ name: String) throws {
        guard let table = try connection.fullTextTable(name), !table.ownTriggers.isEmpty else { return }
        throw SchemaError.invalid([
            "the search table \"\(table.name)\" cannot be renamed: drop it (DropSearchTable), and create it with the new name"
        ])
    }

    /// Returns the FTS5 tables over a table.
    func fullTextTables(of table: String) throws -> [FullTextTable] {
        try connection.fullTextTables().filter { $0.source?.isSameName(as: table) == true }
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
        for old in tables {
            var new = old
            for index in new.columns.indices where new.columns[index].name.isSameName(as: column) {
                new.columns[index].name = newName
            }
            if new.source != nil, new.rowID.isSameName(as: column) { new.rowID = newName }
            // SQLite has renamed the column in the view.
            if old.condition != nil { new.condition = try old.storedCondition(connection.catalog())?.condition }
            if new != old { try replace(old, by: new) }
        }
    }

    private func replace(_ old: FullTextTable, by new: FullTextTable) throws {
        if old.ownTriggers.isEmpty, old.columns != new.columns {
            throw SchemaError.inUse(
                "the search table \"\(old.name)\" reads the column, and its triggers are not those of Squall: drop it first"
            )
        }
        let settings = try connection.query(
            "SELECT k, v FROM main.\(name: "\(old.name)_config") WHERE k <> 'version'", as: (String, BindingValue).self)
        for name in old.ownTriggers { try run("DROP TRIGGER main.\(name: name)") }
        try run("DROP TABLE main.\(name: old.name)")
        if old.condition != nil { try run("DROP VIEW main.\(name: old.viewName)") }
        if let view = new.view() { try run(view) }
        try run(new.sql())
        // FTS5 keeps them beside the definition: the function of `rank`, and the sizes of its merges.
        for (key, value) in settings {
            try run("INSERT INTO main.\(name: new.name)(\(name: new.name), rank) VALUES(\(key), \(value))")
        }
        if !old.ownTriggers.isEmpty { for sql in new.triggers() { try run(sql) } }
        for sql in new.rebuilding { try run(sql) }
    }

    /// Indexes the rows of a table again whose rebuild may have changed the text, without the triggers.
    func refreshFullText(after rebuild: TableRebuild) throws {
        for table in try fullTextTables(of: rebuild.old.name) {
            let names = table.columns.map(\.name) + [table.rowID]
            if let missing = names.first(where: { rebuild.new.column($0) == nil && !$0.isRowIDName }) {
                throw SchemaError.inUse(
                    "the search table \"\(table.name)\" reads the column \"\(missing)\" of \"\(rebuild.old.name)\": "
                        + "drop it first")
            }
            // The condition may read any column.
            if table.condition == nil, names.allSatisfy(rebuild.keepsText) { continue }
            for sql in table.rebuilding { try run(sql) }
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

extension TableRebuild {
    /// Returns whether the rows keep the text of a column. A generated column may depend on any other column, and
    /// the name `rowid` is another name of the key.
    fileprivate func keepsText(ofColumn name: String) -> Bool {
        let (before, after) = (old.column(name), new.column(name))
        if before == nil, after == nil, let key = new.rowIDColumn ?? old.rowIDColumn { return keepsText(ofColumn: key) }
        let id = Identifier(name)
        return copiesRows && fillings[id] == nil && !added.contains(id) && before?.type == after?.type
            && before?.generated == nil && after?.generated == nil && old.isStrict == new.isStrict
    }
}
