import Squall

/// A table of full-text search over the text of a declared `Table`.
///
///     struct Note: Searchable {
///         let id: Int64?; let title: String; let body: String
///
///         static let table = Table("notes", Note.init) {
///             Column("id", \Note.id, .primaryKey)
///             Column("title", \Note.title)
///             Column("body", \Note.body)
///         }
///         static let searchTable = SearchTable(
///             "notes_search", of: table, columns: \.title, \.body, tokenizer: .cjk)
///     }
///     try connection.create(Note.table)
///     try connection.create(Note.searchTable)
///     try connection.all(Note.search("swift").order { $0.rank }.limit(20))
///
/// Triggers on the table keep the search table in step. A wrong declaration makes every use throw.
public struct SearchTable<Record>: SearchTableProtocol {
    /// The names of the search table and of its columns, and its options.
    public let definition: SearchTableDefinition
    let core: TableCore<Record>
    let entry: TableEntry
    private let failure: (any Error)?

    /// Declares a search table.
    ///
    /// - Parameters:
    ///   - name: The name of the search table.
    ///   - table: The table whose rows are searched. It must have an INTEGER PRIMARY KEY.
    ///   - columns: The properties whose columns are searched.
    ///   - unindexed: Properties whose columns the search table has, but does not search.
    ///   - content: The place of the text: in the table by default.
    ///   - tokenizer: The tokenizer.
    ///   - prefixes: The lengths of prefixes with an index, in characters.
    ///   - detail: The positions that the index has.
    ///   - hasColumnSizes: Whether the index has the number of tokens of each row, which `bm25` needs.
    ///   - condition: The condition on the rows that are searched: `{ $0.deleted == nil }`. Its values are written as literals.
    public init<T: RecordTable, each Value>(
        _ name: String, of table: T, columns: repeat KeyPath<Record, each Value>,
        unindexed: [PartialKeyPath<Record>] = [], content: SearchTableDefinition.Content = .external,
        tokenizer: SearchTokenizer = .unicode61, prefixes: [Int] = [], detail: SearchTableDefinition.Detail = .full,
        hasColumnSizes: Bool = true, where condition: ((Columns<Record>) -> Condition)? = nil
    ) where T.Record == Record {
        var properties: [(keyPath: PartialKeyPath<Record>, isIndexed: Bool)] = []
        for keyPath in repeat each columns { properties.append((keyPath, true)) }
        properties += unindexed.map { ($0, false) }
        let core = table.core
        var failure = core.failure
        var found: [SearchTableDefinition.Column] = []
        for property in properties {
            do {
                let column = try core.requireColumn(property.keyPath)
                found.append(.init(column.name, isIndexed: property.isIndexed))
            } catch {
                failure = failure ?? error
            }
        }
        let rowID = core.definition.rowIDColumn
        if rowID == nil {
            failure = failure ?? SQLiteError(SearchTableProblem.noRowID(table: core.name), of: .table(name))
        }
        let rows = condition.map {
            core.inScope(of: Columns(core: core, place: ColumnPlace(table: nil)), $0).sql.withLiterals
        }
        let definition = SearchTableDefinition(
            name, of: .init(table: core.name, rowID: rowID ?? "rowid", where: rows), columns: found, content: content,
            tokenizer: tokenizer, prefixes: prefixes, detail: detail, hasColumnSizes: hasColumnSizes)
        do {
            if failure == nil { try definition.check() }
        } catch { failure = error }
        self.core = core
        self.definition = definition
        self.failure = failure
        entry = TableEntry(index: name, failure: failure)
    }

    @_documentation(visibility: internal)
    public func checkedSearchDefinition() throws -> SearchTableDefinition {
        if let failure { throw failure }
        return definition
    }
}

/// A record type whose table can be searched: `Note.search("swift")`.
public protocol Searchable: TableRecord {
    /// The table of full-text search.
    static var searchTable: SearchTable<Self> { get }
}
