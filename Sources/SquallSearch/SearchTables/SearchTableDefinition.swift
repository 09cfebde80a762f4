import Squall

// # SquallSearch
//
// Indexes beside tables: full-text search (FTS5), boxes (R*Tree), and distances of vectors.
//
//     let notes = SearchTableDefinition(
//         "notes_search", of: .init(table: "notes", rowID: "id"), columns: "title", "body")
//     try connection.create(notes)
//     let pattern = SearchPattern.allWords("swift sql", lastIsPrefix: true)
//     let ids: [Int] = try connection.query(
//         "SELECT rowid FROM notes_search WHERE notes_search MATCH \(pattern) ORDER BY rank")
//
// `SearchTables` defines and creates the tables, `Queries` has patterns and searches, `Tokens` adds tokenizers,
// `Functions` ranks. `Spatial` has `SpatialTable` and its functions. `Vectors` has functions on blobs of `Float`s,
// without an index.
//
// A search runs so:
// 1. `create(_:)` runs `CREATE VIRTUAL TABLE`, creates three triggers on the source, and indexes its rows.
// 2. A write to the source runs a trigger, in the same transaction. FTS5 calls the tokenizer (`TokenizerBox`).
// 3. The pattern is bound as text. FTS5 calls the tokenizer for its words, and finds the rows.
// 4. A ranking function receives each row as a `SearchMatch` (`SearchFunctionBox`), valid only in the call.
//
// Invariants: Input in a pattern is never a syntax error, because its words are quoted. Triggers keep an index in step,
// so a rollback takes both back. They do not run for a `Blob`, which therefore refuses to write such a column. Each
// connection that uses a tokenizer must add it. FTS5 keeps tokenizers and functions until the connection is closed. A
// tokenizer cannot use the connection, a ranking function can. The sides of a box are rounded outward. Without FTS5 or
// R*Tree in SQLite, the kind of the error is `libraryLacks`.

/// A table of full-text search: `CREATE VIRTUAL TABLE … USING fts5(…)`, and the triggers that keep it in step with another table.
///
///     let definition = SearchTableDefinition(
///         "notes_search", of: .init(table: "notes", rowID: "id"),
///         columns: "title", "body", tokenizer: .cjk)
///     try connection.create(definition)
///
/// A ``SearchTable`` declares it by the properties of a record.
public struct SearchTableDefinition: Hashable, Codable, Sendable {
    /// The table whose rows are searched.
    public struct Origin: Hashable, Codable, Sendable {
        /// The name of the table.
        public var table: String
        /// The column that is its rowid, an INTEGER PRIMARY KEY.
        public var rowID: String
        /// The condition on the rows that are searched, with the names of columns: `deleted IS NULL`; `nil` for all rows.
        public var condition: SQL?

        public init(table: String, rowID: String, where condition: SQL? = nil) {
            self.table = table
            self.rowID = rowID
            self.condition = condition
        }
    }

    /// The place of the text.
    public enum Content: String, Codable, Sendable {
        /// In the source: the search table has only the index. `highlight`, `snippet` and columns read the source.
        case external
        /// In the search table, as a copy.
        case own
        /// Nowhere: the search table has only the index, and returns nothing but rowids and ranks.
        case none
    }

    /// The positions that the index has.
    public enum Detail: String, Codable, Sendable, CaseIterable {
        /// The place of every token.
        case full
        /// The column of every token. Phrases and NEAR cannot be searched, nor words that the tokenizer splits into several tokens.
        case column
        /// The row of every token. As for `column`, and the search cannot be limited to columns.
        case none
    }

    /// A column of a search table.
    public struct Column: Hashable, Codable, Sendable {
        public var name: String
        /// Whether the column can be searched. Others are only read.
        public var isIndexed: Bool

        public init(_ name: String, isIndexed: Bool = true) {
            self.name = name
            self.isIndexed = isIndexed
        }
    }

    public var name: String
    public var columns: [Column]
    /// The table that triggers keep the search table in step with; `nil` for none.
    public var source: Origin?
    public var content: Content
    public var tokenizer: SearchTokenizer
    /// The lengths of prefixes with an index, in characters.
    public var prefixes: [Int]
    public var detail: Detail
    /// Whether the index has the number of tokens of each row, which `bm25` needs.
    public var hasColumnSizes: Bool

    /// A search table.
    ///
    /// - Parameters:
    ///   - name: The name of the search table.
    ///   - source: The table whose rows are searched; `nil` for a table that is written directly.
    ///   - columns: The names of the columns, which are those of the source.
    ///   - unindexed: The names of further columns, which cannot be searched.
    ///   - content: The place of the text. The default is the source, or the search table itself where it has none.
    ///   - tokenizer: The tokenizer.
    ///   - prefixes: The lengths of prefixes with an index.
    ///   - detail: The positions that the index has.
    ///   - hasColumnSizes: Whether the index has the number of tokens of each row.
    public init(
        _ name: String, of source: Origin? = nil, columns: String..., unindexed: [String] = [],
        content: Content? = nil, tokenizer: SearchTokenizer = .unicode61, prefixes: [Int] = [],
        detail: Detail = .full, hasColumnSizes: Bool = true
    ) {
        self.init(
            name, of: source, columns: columns.map { Column($0) } + unindexed.map { Column($0, isIndexed: false) },
            content: content, tokenizer: tokenizer, prefixes: prefixes, detail: detail, hasColumnSizes: hasColumnSizes)
    }

    /// A search table with an array of columns.
    public init(
        _ name: String, of source: Origin? = nil, columns: [Column], content: Content? = nil,
        tokenizer: SearchTokenizer = .unicode61, prefixes: [Int] = [], detail: Detail = .full,
        hasColumnSizes: Bool = true
    ) {
        self.name = name
        self.columns = columns
        self.source = source
        self.content = content ?? (source == nil ? .own : .external)
        self.tokenizer = tokenizer
        self.prefixes = prefixes
        self.detail = detail
        self.hasColumnSizes = hasColumnSizes
    }

    /// Throws for a definition that FTS5 would refuse, or would read as another one.
    func check() throws {
        func failure(_ problem: SearchTableProblem) -> SQLiteError { SQLiteError(problem, of: .table(name)) }
        if columns.isEmpty { throw failure(.noColumns) }
        if content == .external, source == nil { throw failure(.noSource) }
        if source?.condition != nil, !hasColumnSizes { throw failure(.conditionWithoutSizes) }
        var known: Set<Identifier> = []
        let reserved: Set<Identifier> = ["rank", "rowid", Identifier(name)]
        for column in columns {
            if reserved.contains(Identifier(column.name)) { throw failure(.reservedColumn(column.name)) }
            if known.contains(Identifier(column.name)) { throw failure(.repeatedColumn(column.name)) }
            known.insert(Identifier(column.name))
        }
    }
}

/// A table of full-text search that a connection can create, rebuild and check: a ``SearchTableDefinition`` or a ``SearchTable``.
public protocol SearchTableProtocol: Sendable {
    /// Returns the definition.
    ///
    /// - Throws: `SQLiteError` for a wrong declaration.
    @_documentation(visibility: internal)
    func checkedSearchDefinition() throws -> SearchTableDefinition
}

extension SearchTableDefinition: SearchTableProtocol {
    @_documentation(visibility: internal)
    public func checkedSearchDefinition() throws -> SearchTableDefinition {
        try check()
        return self
    }
}

/// A wrong declaration of a search table. The search table is the error's `SQLiteError.subject`.
public enum SearchTableProblem: SQLiteProblem {
    /// Thrown when a search table is declared without columns.
    case noColumns
    /// Thrown when two columns have this name.
    case repeatedColumn(String)
    /// Thrown for a column whose name FTS5 uses itself: `rank`, `rowid`, or the name of the table.
    case reservedColumn(String)
    /// Thrown when the content is external, and the search table has no source.
    case noSource
    /// Thrown when a search table has a condition, and no column sizes, which tell the rows of the index.
    case conditionWithoutSizes
    /// Thrown when the source has no column that is its rowid, which VACUUM would change otherwise, or the search table names
    /// another one.
    case noRowID(table: String)
    /// Thrown when the source does not exist.
    case unknownTable(String)
    /// Thrown when the source does not have a column that the search table reads.
    case unknownColumn(String, table: String)
    /// Thrown when a query uses a property that the search table has no column for.
    case unknownProperty(String)
    /// Thrown when the rank or a search function is used where the query has no longer the row of the index.
    case notInQuery
    /// Thrown when a table with the tokenizer `trigram` is searched for a word of less than three characters, which FTS5 would leave
    /// out of the pattern.
    case shortWord(String)
}

extension SearchTableProblem {
    public var code: ResultCode { .misuse }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let table = subject.tableName
        return switch self {
        case .noColumns: "the search table \"\(table)\" has no columns"
        case .repeatedColumn(let column): "the search table \"\(table)\" has two columns \"\(column)\""
        case .reservedColumn(let column): "FTS5 uses the name \"\(column)\" itself in the search table \"\(table)\""
        case .noSource: "the search table \"\(table)\" has external content, and no table to read it from"
        case .conditionWithoutSizes:
            "the search table \"\(table)\" has a condition, and needs `hasColumnSizes` to know the rows of its index"
        case .noRowID(let source):
            """
            the search table "\(table)" needs the INTEGER PRIMARY KEY of the table "\(source)", by which FTS5 finds its rows
            """
        case .unknownTable(let source): "the table \"\(source)\" of the search table \"\(table)\" does not exist"
        case .unknownColumn(let column, let source):
            "the table \"\(source)\" of the search table \"\(table)\" has no column \"\(column)\""
        case .unknownProperty(let property): "the search table \"\(table)\" has no column for \(property)"
        case .notInQuery: "the search table \"\(table)\" is not in this part of the query"
        case .shortWord(let word):
            "the tokenizer of \"\(table)\" finds words of at least three characters, and not \(word.debugDescription): use LIKE for it"
        }
    }
}
