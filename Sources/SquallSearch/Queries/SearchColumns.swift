import Squall

/// The columns of a table in a full-text search, by the properties of its record, with the rank and the functions of the search.
///
///     Note.search("swift").order { $0.rank }
///         .select { ($0.id, $0.snippet(\.body, around: "<b>", "</b>")) }
@dynamicMemberLookup
public struct SearchColumns<Record>: Sendable {
    let base: Columns<Record>
    /// The search table; `nil` where the columns are those of an inner query.
    private(set) var place: SearchPlace?

    /// The whole record, among the values that a query selects. A column of a property with this name is `$0[\.record]`.
    public var record: Columns<Record> { base }

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value> { base[dynamicMember: keyPath] }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> {
        base[dynamicMember: keyPath]
    }
}

/// A search table in a query.
struct SearchPlace: Sendable {
    let definition: SearchTableDefinition
    /// The name of the search table in the query.
    let name: String

    /// The hidden column that stands for the table: `"notes_search"."notes_search"`.
    var table: SQL { "\(name: name).\(name: definition.name)" }
}

extension SearchColumns: QuerySource {
    @_documentation(visibility: internal)
    public var sourceNames: SearchColumns { self }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalColumns<Record> { base.sourceIfMissing }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { base.selectedNames }

    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<Record> { base.selectedReader }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> SearchColumns {
        SearchColumns(base: base.selectedPlaced(at: &place), place: nil)
    }
}

// The hidden column and the auxiliary functions of FTS5.

extension SearchColumns {
    /// The rank of the row: the smaller, the better. It is `bm25` with all weights 1, unless the table has another rank.
    ///
    ///     Note.search(pattern).order { $0.rank }   // ORDER BY "notes_search".rank ASC
    ///
    /// A column of a property with this name is `$0[\.rank]`.
    public var rank: Expr<Double> {
        guard let place else { return Expr(atom: missing) }
        return Expr(atom: "\(name: place.name).rank")
    }

    /// The first argument of a search function: the search table in the query.
    ///
    ///     Note.search(pattern).order { Expr<Double>("recency(\($0.searchTable))") }
    public var searchTable: SQL { place?.table ?? missing }

    /// The rank of the row with weights of the columns: `bm25("notes_search"."notes_search", 10.0, 1.0)`.
    ///
    /// - Parameter weights: The weights in the order of the search table's columns; 1 for those that are left out.
    public func bm25(_ weights: Double...) -> Expr<Double> {
        let arguments = [searchTable] + weights.map { "\($0)" as SQL }
        return Expr(atom: "bm25(\(arguments.joined(separator: ", ")))")
    }

    /// The text of a column with marks around the words that were found.
    ///
    ///     $0.highlight(\.title, around: "<b>", "</b>")
    ///     // highlight("notes_search"."notes_search", 0, '<b>', '</b>')
    ///
    /// A search table without content has NULL instead.
    ///
    /// - Parameters:
    ///   - column: The property of the column.
    ///   - open: The mark before the words.
    ///   - close: The mark after them.
    public func highlight(
        _ column: KeyPath<Record, String>, around open: String, _ close: String
    ) -> Expr<String> { Expr(atom: highlighted(column, open, close)) }

    /// The text of a column that may be NULL, or is not a `String`, with marks around the words that were found.
    @_disfavoredOverload
    public func highlight<Value>(
        _ column: KeyPath<Record, Value>, around open: String, _ close: String
    ) -> Expr<String?> { Expr(atom: highlighted(column, open, close)) }

    /// The part of a column's text in which most words of the pattern occur, with marks around them.
    ///
    ///     $0.snippet(\.body, around: "<b>", "</b>")
    ///     // snippet("notes_search"."notes_search", 1, '<b>', '</b>', '…', 12)
    ///
    /// A search table without content has NULL instead.
    ///
    /// - Parameters:
    ///   - column: The property of the column.
    ///   - open: The mark before the words.
    ///   - close: The mark after them.
    ///   - ellipsis: The text that stands for the parts before and after.
    ///   - tokens: The largest number of words, 1 to 64.
    public func snippet(
        _ column: KeyPath<Record, String>, around open: String, _ close: String, ellipsis: String = "…",
        tokens: Int = 12
    ) -> Expr<String> { Expr(atom: snippet(number(of: column), open, close, ellipsis, tokens)) }

    /// The best part of the text of a column that may be NULL, or is not a `String`.
    @_disfavoredOverload
    public func snippet<Value>(
        _ column: KeyPath<Record, Value>, around open: String, _ close: String, ellipsis: String = "…",
        tokens: Int = 12
    ) -> Expr<String?> { Expr(atom: snippet(number(of: column), open, close, ellipsis, tokens)) }

    /// The best part of the text of any column.
    public func snippet(
        around open: String, _ close: String, ellipsis: String = "…", tokens: Int = 12
    ) -> Expr<String?> { Expr(atom: snippet("-1", open, close, ellipsis, tokens)) }

    private func highlighted(_ column: PartialKeyPath<Record>, _ open: String, _ close: String) -> SQL {
        "highlight(\(searchTable), \(number(of: column)), \(open), \(close))"
    }

    private func snippet(_ column: SQL, _ open: String, _ close: String, _ ellipsis: String, _ tokens: Int) -> SQL {
        let count = Swift.min(Swift.max(1, tokens), 64)
        return "snippet(\(searchTable), \(column), \(open), \(close), \(ellipsis), \(count))"
    }

    /// Returns the number of a column in the search table.
    private func number(of keyPath: PartialKeyPath<Record>) -> SQL {
        guard let place else { return missing }
        if let column = base.core.column(keyPath) {
            let name = Identifier(column.name)
            let index = place.definition.columns.firstIndex { Identifier($0.name) == name }
            if let index { return SQL(raw: "\(index)") }
        }
        return failing(.unknownProperty("\(keyPath)"), of: place.definition.name)
    }

    /// The SQL of a rank or a function where the query has no longer the row of the search table.
    private var missing: SQL { failing(.notInQuery, of: base.core.name) }

    private func failing(_ problem: SearchTableProblem, of table: String) -> SQL {
        var sql: SQL = "NULL"
        sql.fail(SQLiteError(problem, of: .table(table)))
        return sql
    }
}
