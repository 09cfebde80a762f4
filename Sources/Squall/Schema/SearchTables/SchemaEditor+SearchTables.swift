// Search tables follow the tables whose rows they search.

extension SchemaEditor {
    func create(_ table: SearchTableDefinition) throws {
        try table.check()
        switch try connection.problem(ofSourceOf: table) {
        case .unknownTable(let name)?: throw SchemaError.notFound("table \"\(name)\"")
        case .unknownColumn(let name, let source)?: throw SchemaError.notFound("column \"\(source)\".\"\(name)\"")
        case let problem?: throw SchemaError.invalid([problem.message(of: .table(table.name))])
        case nil: break
        }
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
        forgetDisconnected(table.name)
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

    /// Drops a table. The search tables over it lose their triggers, even if a later step creates a table of the same name.
    func dropTable(_ name: String) throws {
        let table = try table(name)
        let searchTables = try searchTables(of: table.name)
        hasRemoved = true
        try run("DROP TABLE main.\(name: table.name)")
        forgetDisconnected(table.name)
        disconnected += searchTables
    }

    private func forgetDisconnected(_ name: String) {
        disconnected.removeAll { $0.name.isSameName(as: name) }
    }

    /// Throws for a search table whose source was dropped and exists again. One with a copy of the text may outlive its source.
    func checkDisconnectedSearchTables() throws {
        for table in disconnected {
            guard let source = table.source, try connection.catalog().has(.table, .view, named: source.table) else {
                continue
            }
            throw SchemaError.inUse(
                "the table \"\(source.table)\", whose rows the search table \"\(table.name)\" searches, was dropped: "
                    + "drop the search table first, and create it again")
        }
    }

    /// Throws for a search table that triggers write. SQLite would not rename the column in them that has the name of the table.
    func checkRenaming(_ name: String) throws {
        guard let table = try connection.searchTableInfo(name), try !ownTriggers(of: table).isEmpty else { return }
        throw SchemaError.invalid([
            "the search table \"\(table.name)\" cannot be renamed: drop it (DropSearchTable), and create it with the new name"
        ])
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
            let names = table.columns.map(\.name) + (table.source.map { [$0.rowID] } ?? [])
            if let missing = names.first(where: { rebuild.new.column($0) == nil && !$0.isRowIDName }) {
                throw SchemaError.inUse(
                    "the search table \"\(table.name)\" reads the column \"\(missing)\" of \"\(rebuild.old.name)\": "
                        + "drop it first")
            }
            guard !names.allSatisfy(rebuild.keepsText) else { continue }
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
