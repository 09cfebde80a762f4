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
