import Squall

// The forms of a definition: the table of a file, and the step that creates it in Swift.

extension SearchTableDefinition {
    /// `CREATE VIRTUAL TABLE "notes_search" USING fts5("title", "body", content = 'notes', content_rowid = 'id')`
    public var sql: SQL { fullText.sql() }

    /// The table, whose SQL is that of the definition.
    var fullText: FullTextTable {
        var options: [String: String] = [:]
        if tokenizer != .unicode61 { options["tokenize"] = tokenizer.option }
        if !prefixes.isEmpty { options["prefix"] = prefixes.map { "\($0)" }.joined(separator: " ") }
        if detail != .full { options["detail"] = detail.rawValue }
        if !hasColumnSizes { options["columnsize"] = "0" }
        return FullTextTable(
            name, columns: columns.map { .init($0.name, isIndexed: $0.isIndexed) }, source: source?.table,
            rowID: source?.rowID, content: .init(rawValue: content.rawValue) ?? .own, options: options,
            condition: source?.condition)
    }

    /// The definition of a table of a file.
    init(_ table: FullTextTable) {
        // FTS5 takes any beginning of these names.
        let details: KeyValuePairs<String, Detail> = ["none": .none, "full": .full, "columns": .column]
        let detail = (table.options["detail"] ?? "full").asciiFolded
        self.init(
            table.name, of: table.source.map { Origin(table: $0, rowID: table.rowID, where: table.condition) },
            columns: table.columns.map { Column($0.name, isIndexed: $0.isIndexed) },
            content: Content(rawValue: table.content.rawValue),
            tokenizer: table.options["tokenize"].map { SearchTokenizer(option: $0) } ?? .unicode61,
            prefixes: (table.options["prefix"] ?? "").split { !("0"..."9").contains($0) }.compactMap { Int($0) },
            detail: details.first { $0.key.hasPrefix(detail) }?.value ?? .full,
            hasColumnSizes: table.options["columnsize"] != "0")
    }
}

extension Connection {
    /// Returns the definition of a search table, or `nil` if no table of FTS5 has this name.
    ///
    ///     let search = try connection.searchTableInfo("notes_search")
    ///     search?.source?.table    // notes
    ///
    /// It is read from the SQL in `sqlite_schema`, and needs no tokenizer.
    ///
    /// - Throws: `SQLiteError`.
    public func searchTableInfo(_ name: String) throws -> SearchTableDefinition? {
        try fullTextTable(name).map { SearchTableDefinition($0) }
    }
}

extension SearchTableDefinition {
    /// The step that creates the table: `CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title")`.
    var swiftSource: String {
        var arguments = [name.swiftLiteral]
        if let source { arguments.append("of: \(source.table.swiftLiteral), rowID: \(source.rowID.swiftLiteral)") }
        let names = columns.filter(\.isIndexed).map(\.name.swiftLiteral).joined(separator: ", ")
        if !names.isEmpty { arguments.append("columns: \(names)") }
        let unindexed = columns.filter { !$0.isIndexed }.map(\.name.swiftLiteral).joined(separator: ", ")
        if !unindexed.isEmpty { arguments.append("unindexed: [\(unindexed)]") }
        if content != (source == nil ? .own : .external) { arguments.append("content: .\(content.rawValue)") }
        if tokenizer != .unicode61 { arguments.append("tokenizer: \(tokenizer.swiftSource)") }
        if !prefixes.isEmpty { arguments.append("prefixes: \(prefixes)") }
        if detail != .full { arguments.append("detail: .\(detail.rawValue)") }
        if !hasColumnSizes { arguments.append("hasColumnSizes: false") }
        if let condition = source?.condition { arguments.append("where: \(condition.withLiterals.text.swiftLiteral)") }
        let list = arguments.joined(separator: ", ")
        return source == nil ? "CreateSearchTable(SearchTableDefinition(\(list)))" : "CreateSearchTable(\(list))"
    }
}

extension SearchTokenizer {
    fileprivate var swiftSource: String {
        if self == .cjk { return ".cjk" }
        let arguments = words.dropFirst().map(\.swiftLiteral).joined(separator: ", ")
        let name = (words.first ?? "").swiftLiteral
        return "SearchTokenizer(\(name)\(arguments.isEmpty ? "" : ", arguments: \(arguments)"))"
    }
}
