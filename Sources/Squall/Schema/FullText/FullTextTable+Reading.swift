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
        try table.findCondition(catalog)
        try table.findOwnTriggers(catalog)
        // Without a name in its SQL, the table has a source only by its triggers.
        if table.content != .external, table.ownTriggers.isEmpty { table.source = nil }
        self = table
    }

    /// Finds the source of a table whose content is a view with a condition, if it is that of ``view(ifNotExists:)``.
    private mutating func findCondition(_ catalog: SchemaCatalog) throws {
        guard content != .external || source?.isSameName(as: viewName) == true,
            let (table, condition) = try storedCondition(catalog),
            content == .external || source?.isSameName(as: table) == true
        else { return }
        var own = self
        (own.source, own.condition) = (table, condition)
        guard let view = own.viewDefinition, let stored = try catalog.entry(.view, named: viewName)?.sql,
            SQLTokenizer.normalized(stored) == ("CREATE VIEW \(view)" as SQL).normalized
        else { return }
        self = own
    }

    /// Returns the table and the condition of the view of the rows.
    func storedCondition(_ catalog: SchemaCatalog) throws -> (table: String, condition: SQL)? {
        guard let sql = try catalog.entry(.view, named: viewName)?.sql else { return nil }
        // SELECT … FROM "notes" WHERE …
        let tokens = SQLTokenizer.tokens(of: sql)
        guard let from = tokens.firstIndex(where: { $0.is("FROM") }), from + 3 < tokens.count,
            tokens[from + 2].is("WHERE")
        else { return nil }
        let condition = Array(sql.utf8)[tokens[from + 3].range.lowerBound...]
        return (tokens[from + 1].text, SQL(raw: String(decoding: condition, as: UTF8.self)))
    }

    private mutating func findOwnTriggers(_ catalog: SchemaCatalog) throws {
        guard let source else { return }
        let names = triggerNames.map { Identifier($0) }
        let stored = try catalog.entries(.trigger, ofTable: source, by: .creation)
            .filter { names.contains(Identifier($0.name)) }
        // As SQLite stores them: without the name of the database.
        let own = Set(zip(triggerNames, triggerActions).map { SQL("CREATE TRIGGER \(name: $0) \($1)").normalized })
        guard stored.allSatisfy({ own.contains(SQLTokenizer.normalized($0.sql ?? "")) }) else { return }
        ownTriggers = stored.map(\.name)
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
