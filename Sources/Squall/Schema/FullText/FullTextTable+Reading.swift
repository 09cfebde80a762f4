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
        let triggers = try catalog.entries(.trigger, by: .creation)
        if table.source == nil { table.findSource(triggers) }
        try table.findCondition(catalog)
        table.findOwnTriggers(triggers)
        // Without a name in its SQL, the table has a source only by its triggers.
        if table.content != .external, table.ownTriggers.isEmpty { table.source = nil }
        try table.findProgramTriggers(triggers, catalog)
        self = table
    }

    /// Finds the source and the condition of a table with a view of the rows, if the view is that of ``view(ifNotExists:)``. Other views
    /// are a program's.
    private mutating func findCondition(_ catalog: SchemaCatalog) throws {
        guard content != .external || source?.isSameName(as: viewName) == true,
            let view = try storedView(catalog),
            content == .external || source?.isSameName(as: view.table) != false
        else { return }
        var own = self
        (own.source, own.condition) = (view.table, view.condition)
        // The triggers are lost, but not the view.
        if source == nil { own.rowID = view.rowID }
        guard let definition = own.viewDefinition,
            SQLTokenizer.normalized(view.sql) == ("CREATE VIEW \(definition)" as SQL).normalized
        else { return }
        self = own
    }

    /// Returns the parts of the view of the rows; `nil` if there is none, or it has another form.
    func storedView(_ catalog: SchemaCatalog) throws -> (sql: String, table: String, rowID: String, condition: SQL)? {
        guard let sql = try catalog.entry(.view, named: viewName)?.sql else { return nil }
        // … SELECT "id" AS "id", … FROM "notes" WHERE …
        let tokens = SQLTokenizer.tokens(of: sql)
        guard let select = tokens.firstIndex(where: { $0.is("SELECT") }),
            let from = tokens.firstIndex(where: { $0.is("FROM") }), select < from, from + 3 < tokens.count,
            tokens[from + 2].is("WHERE")
        else { return nil }
        let condition = String(decoding: Array(sql.utf8)[tokens[from + 3].range.lowerBound...], as: UTF8.self)
        return (sql, tokens[from + 1].text, tokens[select + 1].text, SQL(raw: condition))
    }

    private mutating func findOwnTriggers(_ triggers: [SchemaCatalog.Entry]) {
        guard let source else { return }
        let mine = triggers.filter { $0.table.isSameName(as: source) }
        func names(of actions: [SQL]) -> [String] {
            // As SQLite stores them: without the name of the database.
            let own = Set(zip(triggerNames, actions).map { SQL("CREATE TRIGGER \(name: $0) \($1)").normalized })
            return mine.filter { own.contains(SQLTokenizer.normalized($0.sql ?? "")) }.map(\.name)
        }
        let current = names(of: triggerActions)
        let former = condition == nil ? [] : names(of: plainTriggerActions)
        ownTriggers = current + former
        hasFormerTriggers = !former.isEmpty
    }

    /// Finds the table whose triggers write this one, which does not have that table's name in its SQL.
    private mutating func findSource(_ triggers: [SchemaCatalog.Entry]) {
        guard let trigger = triggers.first(where: { $0.name.isSameName(as: triggerName("insert")) }) else { return }
        // … VALUES(new."id", …)
        let tokens = SQLTokenizer.tokens(of: trigger.sql ?? "")
        guard let new = tokens.firstIndex(where: { $0.is("new") }), tokens.indices.contains(new + 2) else { return }
        (source, rowID) = (trigger.table, tokens[new + 2].text)
    }

    private mutating func findProgramTriggers(_ triggers: [SchemaCatalog.Entry], _ catalog: SchemaCatalog) throws {
        let others = triggers.filter {
            !ownTriggers.contains($0.name) && IndexTrigger.writes($0.sql ?? "", to: [Identifier(name)])
        }
        guard !others.isEmpty else { return }
        var statements: Set<String> = []
        if let source, try catalog.has(.table, named: source) {
            let key = try catalog.rowIDColumn(ofTable: source, among: catalog.columns(ofTable: source))
            var copy = self
            for name in [rowID, "rowid", key?.name ?? rowID] {
                copy.rowID = name
                statements.formUnion([copy.insertion.normalized, copy.removal.normalized])
            }
        }
        programTriggers = others.map { trigger in
            let (sql, table) = (trigger.sql ?? "", Identifier(trigger.table))
            let written = IndexTrigger.statements(of: sql, writing: Identifier(name))
            let copiesRows = source.map { Identifier($0) } == table && (written.map(statements.isSuperset) ?? false)
            return ProgramTrigger(table: table, sql: sql, copiesRows: copiesRows)
        }
    }
}
