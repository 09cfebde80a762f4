// Search tables follow the tables whose rows they search.

extension SchemaEditor {
    func create(_ table: SearchTableDefinition) throws {
        try table.check()
        if let source = table.source { try checkSource(source, of: table) }
        if table.tokenizer.usesCJK { try connection.addCJKTokenizer() }
        for sql in table.statements(ifNotExists: false) { try run(sql) }
        if table.source != nil { for sql in table.rebuilding { try run(sql) } }
    }

    func dropSearchTable(_ name: String) throws {
        guard let table = try connection.searchTableInfo(name) else {
            throw SchemaError.notFound("search table \"\(name)\"")
        }
        try drop(table)
    }

    private func drop(_ table: SearchTableDefinition) throws {
        hasRemoved = true
        if table.tokenizer.usesCJK { try connection.addCJKTokenizer() }
        for name in try ownTriggers(of: table) { try run("DROP TRIGGER main.\(name: name)") }
        try run("DROP TABLE main.\(name: table.name)")
    }

    /// Returns the names of the triggers that Squall has made for a search table.
    private func ownTriggers(of table: SearchTableDefinition) throws -> [String] {
        guard let source = table.source else { return [] }
        let names = Set(table.triggerNames.map { Identifier($0) })
        return try connection.catalog().entries(.trigger, ofTable: source.table, by: .creation).map(\.name)
            .filter { names.contains(Identifier($0)) }
    }

    private func checkSource(_ source: SearchTableDefinition.Origin, of table: SearchTableDefinition) throws {
        let columns = try connection.catalog().columns(ofTable: source.table)
        guard !columns.isEmpty else { throw SchemaError.notFound("table \"\(source.table)\"") }
        // A missing column in double quotes would be text.
        for name in table.columns.map(\.name) + [source.rowID]
        where !columns.contains(where: { $0.name.isSameName(as: name) }) && !name.isRowIDName {
            throw SchemaError.notFound("column \"\(source.table)\".\"\(name)\"")
        }
    }

    /// Returns the search tables over a table, and adds the tokenizer that they may need while SQLite checks the schema.
    func searchTables(of table: String) throws -> [SearchTableDefinition] {
        let all = try connection.searchTables()
        if all.contains(where: \.tokenizer.usesCJK) { try connection.addCJKTokenizer() }
        return all.filter { $0.source?.table.isSameName(as: table) == true }
    }

    /// Changes the search tables over a table that has been renamed.
    func moveSearchTables(_ tables: [SearchTableDefinition], to newName: String) throws {
        for table in tables where table.content == .external {
            // The triggers, which SQLite has changed, are on the table's new name.
            var old = table
            old.source?.table = newName
            try replace(old, by: old)
        }
    }

    /// Changes the search tables over a table one of whose columns has been renamed.
    func renameColumn(_ column: String, to newName: String, in tables: [SearchTableDefinition]) throws {
        for old in tables {
            var new = old
            for index in new.columns.indices where new.columns[index].name.isSameName(as: column) {
                new.columns[index].name = newName
            }
            if let rowID = new.source?.rowID, rowID.isSameName(as: column) { new.source?.rowID = newName }
            if new != old { try replace(old, by: new) }
        }
    }

    private func replace(_ old: SearchTableDefinition, by new: SearchTableDefinition) throws {
        let triggers = try ownTriggers(of: old)
        if triggers.isEmpty, old.columns != new.columns {
            throw SchemaError.inUse(
                "the search table \"\(old.name)\" reads the column, and its triggers are not those of Squall: drop it first"
            )
        }
        for name in triggers { try run("DROP TRIGGER main.\(name: name)") }
        try run("DROP TABLE main.\(name: old.name)")
        try run(new.sql)
        if !triggers.isEmpty { for sql in new.triggers() { try run(sql) } }
        for sql in new.rebuilding { try run(sql) }
    }

    /// Indexes the rows of a table again whose rebuild may have changed the text, without the triggers.
    func refreshSearchTables(after rebuild: TableRebuild) throws {
        for table in try searchTables(of: rebuild.old.name) {
            let changed = table.columns.first { column in
                rebuild.new.column(column.name) == nil || !rebuild.keepsText(ofColumn: column.name)
            }
            guard let changed else { continue }
            if rebuild.new.column(changed.name) == nil, !changed.name.isRowIDName {
                throw SchemaError.inUse(
                    "the search table \"\(table.name)\" reads the column \"\(changed.name)\" of \"\(rebuild.old.name)\": "
                        + "drop it first")
            }
            for sql in table.rebuilding { try run(sql) }
        }
    }

    /// The search tables whose source is missing.
    func orphanedSearchTables() throws -> Set<Identifier> {
        let catalog = connection.catalog()
        let orphans = try connection.searchTables().filter { table in
            guard table.content == .external, let source = table.source else { return false }
            return try !catalog.has(.table, .view, named: source.table)
        }
        return Set(orphans.map { Identifier($0.name) })
    }
}

extension TableRebuild {
    /// Whether the rows keep the text of a column.
    fileprivate func keepsText(ofColumn name: String) -> Bool {
        let id = Identifier(name)
        return copiesRows && fillings[id] == nil && !added.contains(id)
            && old.column(name)?.type == new.column(name)?.type
            && old.column(name)?.generated == new.column(name)?.generated && old.isStrict == new.isStrict
    }
}

extension String {
    fileprivate var isRowIDName: Bool { ["rowid", "_rowid_", "oid"].contains { isSameName(as: $0) } }
}
