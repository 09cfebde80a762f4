import Squall

extension Connection {
    /// Creates a search table with its triggers, and indexes the rows that its source already has.
    ///
    ///     try connection.create(
    ///         SearchTable("notes_search", of: Note.table, columns: \.title, \.body))
    ///     // CREATE VIRTUAL TABLE "notes_search" USING fts5(
    ///     //     "title", "body", content = 'notes', content_rowid = 'id')
    ///     // CREATE TRIGGER main."notes_search_insert" AFTER INSERT ON "notes" …
    ///     // INSERT INTO main."notes_search"("notes_search") VALUES('rebuild')
    ///
    /// A table with a condition has as its content a view of the rows that it searches, `notes_search_rows`. A row that meets the
    /// condition after an UPDATE enters the index, and one that no longer meets it leaves the index. Rows that meet it by a change of
    /// another table are indexed by ``rebuild(_:)``.
    ///
    /// The tokenizer `cjk` is added to the connection where the table uses it.
    ///
    /// - Parameters:
    ///   - table: The declared table, or its definition.
    ///   - ifNotExists: Whether an existing table is left as it is, whatever its columns.
    /// - Throws: `SQLiteError`, also for an existing table, for a wrong declaration, and for a source that does not have the columns, or whose
    ///   `rowID` is not its INTEGER PRIMARY KEY.
    public func create(_ table: some SearchTableProtocol, ifNotExists: Bool = false) throws {
        let definition = try table.checkedSearchDefinition()
        let fullText = definition.fullText
        if definition.tokenizer.usesCJK { try addCJKTokenizer() }
        try savepoint(named: "squall_create") {
            let isKnown = try ifNotExists && catalog().has(.table, named: definition.name)
            if !isKnown, let problem = try problem(ofSourceOf: definition) {
                throw SQLiteError(problem, of: .table(definition.name))
            }
            if let view = fullText.view(ifNotExists: ifNotExists) { try run(view) }
            try run(fullText.sql(ifNotExists: ifNotExists))
            for sql in fullText.triggers(ifNotExists: ifNotExists) { try run(sql) }
            if definition.source != nil, !isKnown { for sql in fullText.rebuilding { try run(sql) } }
        }
    }

    /// Drops a search table with its triggers and the view of its condition: `DROP TRIGGER …`, `DROP TABLE main."notes_search"`,
    /// `DROP VIEW main."notes_search_rows"`. Triggers and views of the program remain, also those that have the names of Squall's.
    ///
    /// - Throws: `SQLiteError`, also for a table that does not exist.
    public func drop(_ table: some SearchTableProtocol) throws {
        let definition = try table.checkedSearchDefinition()
        if definition.tokenizer.usesCJK { try addCJKTokenizer() }
        try savepoint(named: "squall_drop") {
            let table = try fullTextTable(definition.name) ?? definition.fullText
            for sql in table.dropping { try run(sql) }
        }
    }

    /// Indexes all rows of a search table again: `INSERT INTO main."notes_search"("notes_search") VALUES('rebuild')`.
    ///
    /// - Throws: `SQLiteError`, also for a table without content and without a source, whose text is nowhere.
    public func rebuild(_ table: some SearchTableProtocol) throws {
        let fullText = try table.checkedSearchDefinition().fullText
        try savepoint(named: "squall_rebuild") { for sql in fullText.rebuilding { try run(sql) } }
    }

    /// Checks that the index fits the text, which is read from the source where the content is external:
    /// `INSERT INTO main."notes_search"("notes_search", rank) VALUES('integrity-check', 1)`.
    ///
    /// The copy of a table with its own content is not compared with the source.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT_VTAB` (267) if they differ, or the index is damaged. A damaged index can also throw
    ///   `SQLITE_ERROR` (1).
    public func integrityCheck(_ table: some SearchTableProtocol) throws {
        let name = try table.checkedSearchDefinition().name
        try run("INSERT INTO main.\(name: name)(\(name: name), rank) VALUES('integrity-check', 1)")
    }

    /// Merges the parts of the index into one, which makes searches faster and may take long:
    /// `INSERT INTO main."notes_search"("notes_search") VALUES('optimize')`.
    ///
    /// - Throws: `SQLiteError`.
    public func optimize(_ table: some SearchTableProtocol) throws {
        try run(try table.checkedSearchDefinition().fullText.command("optimize"))
    }

    /// Returns the reason why a search table cannot follow its source; `nil` if it can, or has none.
    func problem(ofSourceOf table: SearchTableDefinition) throws -> SearchTableProblem? {
        guard let source = table.source else { return nil }
        let columns = try catalog().columns(ofTable: source.table)
        guard !columns.isEmpty else { return .unknownTable(source.table) }
        func isColumn(_ name: String) -> Bool { columns.contains { $0.name.isSameName(as: name) } }
        // A missing column in double quotes would be text.
        for name in table.columns.map(\.name) + [source.rowID] where !isColumn(name) && !name.isRowIDName {
            return .unknownColumn(name, table: source.table)
        }
        // Without such a key, VACUUM would change the rowids.
        let key = try catalog().rowIDColumn(ofTable: source.table, among: columns)
        let isRowID = isColumn(source.rowID) ? key?.name.isSameName(as: source.rowID) == true : key != nil
        return isRowID ? nil : .noRowID(table: source.table)
    }
}
