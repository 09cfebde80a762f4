extension Connection {
    /// Creates a search table with its triggers, and indexes the rows that its source already has.
    ///
    ///     try connection.create(
    ///         SearchTable("notes_search", of: Note.table, columns: \.title, \.body))
    ///     // CREATE VIRTUAL TABLE "notes_search" USING fts5(
    ///     //     "title", "body", content = 'notes', content_rowid = 'id')
    ///     // CREATE TRIGGER "notes_search_insert" AFTER INSERT ON "notes" …
    ///     // INSERT INTO "notes_search"("notes_search") VALUES('rebuild')
    ///
    /// The tokenizer `cjk` is added to the connection where the table uses it.
    ///
    /// - Parameters:
    ///   - table: The declared table, or its definition.
    ///   - ifNotExists: Whether an existing table is left as it is, whatever its columns.
    /// - Throws: ``SQLiteError``, also for an existing table and for a wrong declaration.
    public func create(_ table: some SearchTableProtocol, ifNotExists: Bool = false) throws {
        let definition = try table.checkedSearchDefinition()
        if definition.tokenizer.usesCJK { try addCJKTokenizer() }
        try savepoint(named: "squall_create") {
            let isKnown = try ifNotExists && isTable(definition.name)
            for sql in definition.statements(ifNotExists: ifNotExists) { try run(sql) }
            if definition.source != nil, !isKnown { for sql in definition.rebuilding { try run(sql) } }
        }
    }

    /// Drops a search table with its triggers: `DROP TRIGGER …`, `DROP TABLE "notes_search"`.
    ///
    /// - Throws: ``SQLiteError``, also for a table that does not exist.
    public func drop(_ table: some SearchTableProtocol) throws {
        let definition = try table.checkedSearchDefinition()
        if definition.tokenizer.usesCJK { try addCJKTokenizer() }
        try savepoint(named: "squall_drop") {
            for name in definition.triggerNames { try run("DROP TRIGGER IF EXISTS \(name: name)") }
            try run("DROP TABLE \(name: definition.name)")
        }
    }

    /// Indexes all rows of a search table again: `INSERT INTO "notes_search"("notes_search") VALUES('rebuild')`.
    ///
    /// - Throws: ``SQLiteError``, also for a table without content and without a source, whose text is nowhere.
    public func rebuild(_ table: some SearchTableProtocol) throws {
        let definition = try table.checkedSearchDefinition()
        try savepoint(named: "squall_rebuild") { for sql in definition.rebuilding { try run(sql) } }
    }

    /// Checks that the index fits the text, which is read from the source where the content is external:
    /// `INSERT INTO "notes_search"("notes_search", rank) VALUES('integrity-check', 1)`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CORRUPT_VTAB` (267) if they differ, or the index is damaged.
    public func integrityCheck(_ table: some SearchTableProtocol) throws {
        let name = try table.checkedSearchDefinition().name
        try run("INSERT INTO \(name: name)(\(name: name), rank) VALUES('integrity-check', 1)")
    }

    /// Merges the parts of the index into one, which makes searches faster and may take long:
    /// `INSERT INTO "notes_search"("notes_search") VALUES('optimize')`.
    ///
    /// - Throws: ``SQLiteError``.
    public func optimize(_ table: some SearchTableProtocol) throws {
        try run(try table.checkedSearchDefinition().command("optimize"))
    }

    private func isTable(_ name: String) throws -> Bool {
        try query("SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(name) COLLATE NOCASE)")
    }
}
