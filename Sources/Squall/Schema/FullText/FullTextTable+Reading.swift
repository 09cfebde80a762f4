extension Connection {
    /// Returns the FTS5 table with a name; `nil` if there is none. It needs no tokenizer.
    package func fullTextTable(_ name: String) throws -> FullTextTable? {
        let catalog = catalog()
        return try catalog.entry(.table, named: name).flatMap { try FullTextTable($0, catalog) }
    }

    /// Returns all FTS5 tables.
    func fullTextTables() throws -> [FullTextTable] {
        let catalog = catalog()
        return try catalog.entries(.table, by: .creation).compactMap { try FullTextTable($0, catalog) }
    }
}

extension FullTextTable {
    /// Returns `nil` for a table of another module.
    fileprivate init?(_ entry: SchemaCatalog.Entry, _ catalog: SchemaCatalog) throws {
        guard var table = VirtualTableParser(entry.sql ?? "").fullTextTable(named: entry.name) else { return nil }
        if table.source == nil { try table.findSource(catalog) }
        self = table
    }

    /// Finds the table whose triggers write this one, which does not have that table's name in its SQL.
    private mutating func findSource(_ catalog: SchemaCatalog) throws {
        guard let trigger = try catalog.entry(.trigger, named: triggerName("insert")) else { return }
        // … VALUES(new."id", …)
        let tokens = SQLTokenizer.tokens(of: trigger.sql ?? "")
        guard let new = tokens.firstIndex(where: { $0.is("new") }), tokens.indices.contains(new + 2) else { return }
        (source, rowID) = (trigger.table, tokens[new + 2].text)
    }
}
