/// `CREATE VIRTUAL TABLE "notes_search" USING fts5(…)`, with the triggers that keep it in step with a table.
///
///     CreateSearchTable(
///         "notes_search", of: "notes", rowID: "id", columns: "title", "body",
///         tokenizer: .cjk)
///
/// The rows that the table has are indexed. Later steps that rename or rebuild the table, or rename its columns, change the search
/// table with it. A tokenizer that the program has added must be on the connection; `cjk` is added by the step.
public struct CreateSearchTable: SchemaStep, ActionStep {
    let action: SchemaAction

    /// Creates a search table.
    ///
    /// - Parameters:
    ///   - name: The name of the search table.
    ///   - table: The table whose rows are searched.
    ///   - rowID: The column of the table that is an INTEGER PRIMARY KEY.
    ///   - columns: The columns that are searched.
    ///   - unindexed: The columns that the search table has, but does not search.
    ///   - content: The place of the text.
    ///   - tokenizer: The tokenizer.
    ///   - prefixes: The lengths of prefixes with an index, in characters.
    ///   - detail: The positions that the index has.
    ///   - hasColumnSizes: Whether the index has the number of tokens of each row.
    public init(
        _ name: String, of table: String, rowID: String, columns: String..., unindexed: [String] = [],
        content: SearchTableDefinition.Content = .external, tokenizer: SearchTokenizer = .unicode61,
        prefixes: [Int] = [], detail: SearchTableDefinition.Detail = .full, hasColumnSizes: Bool = true
    ) {
        let columns =
            columns.map { SearchTableDefinition.Column($0) }
            + unindexed.map { SearchTableDefinition.Column($0, isIndexed: false) }
        self.init(
            SearchTableDefinition(
                name, of: .init(table: table, rowID: rowID), columns: columns, content: content, tokenizer: tokenizer,
                prefixes: prefixes, detail: detail, hasColumnSizes: hasColumnSizes))
    }

    /// Creates a search table from an existing definition.
    public init(_ table: SearchTableDefinition) {
        action = .createSearchTable(table)
    }
}

/// `DROP TABLE "notes_search"`, and its triggers on the table that it searches.
public struct DropSearchTable: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String) {
        action = .dropSearchTable(name)
    }
}
