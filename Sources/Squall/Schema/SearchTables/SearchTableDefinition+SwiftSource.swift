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

/// A difference between a declared search table and that of a file.
public enum SearchTableChange: Hashable, Sendable {
    /// The file does not have the table.
    case create(SearchTableDefinition)
    /// The table of the file has other columns, options or triggers.
    case replace(SearchTableDefinition, with: SearchTableDefinition)
}

extension SearchTableChange: CustomStringConvertible {
    /// The steps of a ``Version`` that make the change.
    public var description: String {
        switch self {
        case .create(let table): table.swiftSource
        case .replace(let old, let new): "DropSearchTable(\(old.name.swiftLiteral))\n\(new.swiftSource)"
        }
    }
}

extension Connection {
    /// Returns the changes that make the search tables of the file match declared ones.
    ///
    ///     try connection.changes(toMatch: Note.searchTable)
    ///     // CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title")
    ///
    /// - Throws: ``SQLiteError``, also for a wrong declaration.
    public func changes(toMatch tables: any SearchTableProtocol...) throws -> [SearchTableChange] {
        try changes(toMatch: tables)
    }

    func changes(toMatch tables: [any SearchTableProtocol]) throws -> [SearchTableChange] {
        try tables.compactMap { table in
            let new = try table.checkedSearchDefinition()
            guard let old = try searchTableInfo(new.name) else { return .create(new) }
            let names = try catalog().entries(.trigger, by: .name).map { Identifier($0.name) }
            let hasTriggers = new.triggerNames.allSatisfy { names.contains(Identifier($0)) }
            return old.isSame(as: new) && hasTriggers ? nil : .replace(old, with: new)
        }
    }
}

extension SearchTableDefinition {
    /// Whether two definitions differ at most in the case of names.
    fileprivate func isSame(as other: SearchTableDefinition) -> Bool {
        var copy = other
        if Identifier(copy.name) == Identifier(name) { copy.name = name }
        if copy.columns.map({ Identifier($0.name) }) == columns.map({ Identifier($0.name) }) {
            for index in columns.indices { copy.columns[index].name = columns[index].name }
        }
        if let source, let theirs = copy.source, Identifier(source.table) == Identifier(theirs.table),
            Identifier(source.rowID) == Identifier(theirs.rowID)
        {
            copy.source = source
        }
        return self == copy
    }
}
