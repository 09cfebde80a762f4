extension Connection {
    /// Returns the definition of a search table, or `nil` if no table of FTS5 has this name.
    ///
    ///     let search = try connection.searchTableInfo("notes_search")
    ///     search?.source?.table    // notes
    ///
    /// It is read from the SQL in `sqlite_schema`, and needs no tokenizer.
    ///
    /// - Throws: ``SQLiteError``.
    public func searchTableInfo(_ name: String) throws -> SearchTableDefinition? {
        let catalog = catalog()
        guard let found = try catalog.entry(.table, named: name) else { return nil }
        return try searchTable(found, catalog)
    }

    /// Returns the definitions of all search tables.
    func searchTables() throws -> [SearchTableDefinition] {
        let catalog = catalog()
        return try catalog.entries(.table, by: .creation).compactMap { try searchTable($0, catalog) }
    }

    private func searchTable(_ entry: SchemaCatalog.Entry, _ catalog: SchemaCatalog) throws -> SearchTableDefinition? {
        guard var table = SearchTableParser(entry.sql ?? "").definition(named: entry.name) else { return nil }
        if table.source == nil { table.source = try sourceOfTriggers(table, catalog) }
        return table
    }

    /// Returns the table whose triggers write a search table that has not that table's name in its SQL.
    private func sourceOfTriggers(
        _ table: SearchTableDefinition, _ catalog: SchemaCatalog
    ) throws -> SearchTableDefinition.Origin? {
        guard let trigger = try catalog.entry(.trigger, named: table.triggerName("insert")) else { return nil }
        // … VALUES(new."id", …)
        let tokens = SQLTokenizer.tokens(of: trigger.sql ?? "")
        guard let new = tokens.firstIndex(where: { $0.is("new") }), tokens.indices.contains(new + 2) else { return nil }
        return .init(table: trigger.table, rowID: tokens[new + 2].text)
    }
}
