/// The columns of a query whose rows have become values that Squall knows nothing about. They have no names for closures.
@_documentation(visibility: internal)
public struct MadeRows<Output>: QuerySource {
    @_documentation(visibility: internal)
    public let selectedReader: SourceReader<Output>
    /// The name of the common table expression in the query; `nil` for the columns that a query selects, and in the definition.
    var table: String?

    @_documentation(visibility: internal)
    public var sourceNames: () { () }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalMadeRows<Output> {
        OptionalMadeRows(selectedReader: selectedReader.optional(inTable: table))
    }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { nil }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> MadeRows {
        MadeRows(selectedReader: selectedReader.selectedPlaced(at: &place), table: place.markableTable)
    }
}

/// The columns of ``MadeRows`` in an outer join that may have no matching row.
@_documentation(visibility: internal)
public struct OptionalMadeRows<Output>: QuerySource {
    @_documentation(visibility: internal)
    public let selectedReader: SourceReader<Output?>

    @_documentation(visibility: internal)
    public var sourceNames: () { () }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalMadeRows { self }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { nil }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> OptionalMadeRows {
        OptionalMadeRows(selectedReader: selectedReader.selectedPlaced(at: &place))
    }
}

extension SourceReader {
    /// Returns a reader of columns at another place, and moves the place behind them.
    fileprivate func selectedPlaced(at place: inout SourcePlace) -> SourceReader {
        defer { place.index += forms.count }
        let columns = forms.indices.map { place.reference(to: place.index + $0) }
        return SourceReader(columnSQL: columns, forms: forms, reading: reading)
    }
}
