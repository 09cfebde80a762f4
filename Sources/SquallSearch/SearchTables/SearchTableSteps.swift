import Squall

/// `CREATE VIRTUAL TABLE "notes_search" USING fts5(…)`, with the triggers that keep it in step with a table.
///
///     CreateSearchTable(
///         "notes_search", of: "notes", rowID: "id", columns: "title", "body",
///         tokenizer: .cjk)
///
/// The rows that the table has are indexed. Later steps that rename or rebuild the table, or rename its columns, change the search
/// table with it. A tokenizer that the program has added must be on the connection; `cjk` is added by the step.
public struct CreateSearchTable: SchemaStep, AnnexStep {
    private let table: SearchTableDefinition

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
    ///   - condition: The condition on the rows that are searched, with the names of columns: `deleted IS NULL`.
    public init(
        _ name: String, of table: String, rowID: String, columns: String..., unindexed: [String] = [],
        content: SearchTableDefinition.Content = .external, tokenizer: SearchTokenizer = .unicode61,
        prefixes: [Int] = [], detail: SearchTableDefinition.Detail = .full, hasColumnSizes: Bool = true,
        where condition: SQL? = nil
    ) {
        let columns =
            columns.map { SearchTableDefinition.Column($0) }
            + unindexed.map { SearchTableDefinition.Column($0, isIndexed: false) }
        self.init(
            SearchTableDefinition(
                name, of: .init(table: table, rowID: rowID, where: condition), columns: columns, content: content,
                tokenizer: tokenizer, prefixes: prefixes, detail: detail, hasColumnSizes: hasColumnSizes))
    }

    /// Creates a search table from an existing definition.
    public init(_ table: SearchTableDefinition) {
        self.table = table
    }

    package var title: String { "CreateSearchTable \(table.name)" }

    // Not the triggers: a later release of Squall may write them in another way.
    package var details: String {
        let rows = table.source?.condition.map { " WHERE \($0.withLiterals.text)" } ?? ""
        return "\(table.sql.text) \(table.source.map { "\($0.table)(\($0.rowID))" } ?? "")\(rows)"
    }

    package func prepare(_ connection: Connection) {
        if table.tokenizer.usesCJK { try? connection.addCJKTokenizer() }
    }

    package func perform(with editor: SchemaEditor) throws {
        try table.check()
        let connection = editor.connection
        switch try connection.problem(ofSourceOf: table) {
        case .unknownTable(let name)?: throw SchemaError.notFound("table \"\(name)\"")
        case .unknownColumn(let name, let source)?: throw SchemaError.notFound("column \"\(source)\".\"\(name)\"")
        case let problem?: throw SchemaError.invalid([problem.message(of: .table(table.name))])
        case nil: break
        }
        if table.tokenizer.usesCJK { try connection.addCJKTokenizer() }
        let fullText = table.fullText
        if let view = fullText.view() { try editor.run(view) }
        for sql in [fullText.sql()] + fullText.triggers() { try editor.run(sql) }
        if table.source != nil { for sql in fullText.rebuilding { try editor.run(sql) } }
    }
}

/// `DROP TABLE "notes_search"`, and its triggers on the table that it searches.
public struct DropSearchTable: SchemaStep, AnnexStep {
    private let name: String

    public init(_ name: String) {
        self.name = name
    }

    package var title: String { "DropSearchTable \(name)" }

    package var details: String { "" }

    package func prepare(_ connection: Connection) {}

    package func perform(with editor: SchemaEditor) throws {
        guard let table = try editor.connection.searchTableInfo(name) else {
            throw SchemaError.notFound("search table \"\(name)\"")
        }
        if table.tokenizer.usesCJK { try editor.connection.addCJKTokenizer() }
        try editor.drop(table.fullText)
    }
}
