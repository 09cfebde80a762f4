import Squall

/// A difference between a declared search table and that of a file.
public enum SearchTableChange: Hashable, Sendable {
    /// The file does not have the table.
    case create(SearchTableDefinition)
    /// The table of the file has other columns, options or triggers.
    case replace(SearchTableDefinition, with: SearchTableDefinition)
}

extension SearchTableChange: CustomStringConvertible {
    /// The steps of a `Version` that make the change.
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
    /// - Throws: `SQLiteError`, also for a wrong declaration.
    public func changes(toMatch tables: any SearchTableProtocol...) throws -> [SearchTableChange] {
        try changes(toMatch: tables)
    }

    func changes(toMatch tables: [any SearchTableProtocol]) throws -> [SearchTableChange] {
        try tables.compactMap { table in
            let new = try table.checkedSearchDefinition()
            guard let table = try fullTextTable(new.name) else { return .create(new) }
            let old = SearchTableDefinition(table)
            let hasTriggers =
                table.ownTriggers.count == new.fullText.triggerNames.count && !table.hasFormerTriggers
            return old.isSame(as: new) && hasTriggers ? nil : .replace(old, with: new)
        }
    }
}

extension SchemaDrift {
    /// The changes of declared search tables.
    public var searchTables: [SearchTableChange] { annexChanges.compactMap { $0 as? SearchTableChange } }
}

extension SearchTableChange: AnnexChange {}

extension Schema {
    /// Returns the difference between the history and declared tables and search tables: the steps that the history lacks.
    ///
    /// The versions run in memory. For the other parameters, see `drift(from:configuration:preparation:)`.
    ///
    /// - Throws: `SQLiteError`, `SchemaError`, and the error of a closure, if the versions cannot be run.
    public func drift<each T: RecordTable>(
        from tables: repeat each T, searchTables: any SearchTableProtocol...,
        configuration: Configuration = .recommended,
        preparation: (Connection) throws -> Void = { _ in }
    ) throws -> SchemaDrift {
        var definitions: [TableDefinition] = []
        for table in repeat each tables { definitions.append(try table.checkedDefinition()) }
        return try drift(
            from: definitions, searchTables: searchTables, configuration: configuration, preparation: preparation)
    }

    /// Returns the difference between the history and definitions of tables and search tables.
    public func drift(
        from tables: [TableDefinition], searchTables: [any SearchTableProtocol],
        configuration: Configuration = .recommended, preparation: (Connection) throws -> Void = { _ in }
    ) throws -> SchemaDrift {
        try drift(from: tables, configuration: configuration, preparation: preparation) {
            try $0.changes(toMatch: searchTables)
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
            Identifier(source.rowID) == Identifier(theirs.rowID),
            fullText.canonicalCondition == other.fullText.canonicalCondition
        {
            copy.source = source
        }
        return self == copy
    }
}
