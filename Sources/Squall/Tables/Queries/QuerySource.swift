/// The columns of one table in a query: ``Columns``, ``OptionalColumns``, or those of a ``CommonTable``.
public protocol QuerySource<Output>: Selectable where IfMissing: QuerySource {
    /// The parameter of closures that stands for the table: its ``Columns``, or a tuple of expressions.
    @_documentation(visibility: internal)
    associatedtype Names: Sendable

    @_documentation(visibility: internal)
    var sourceNames: Names { get }
}

extension Columns: QuerySource {
    @_documentation(visibility: internal)
    @inlinable
    public var sourceNames: Columns { self }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalColumns<Record> {
        var place = place
        place.isOptional = true
        return OptionalColumns(core: core, place: place)
    }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { core.columns.map(\.name) }

    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<Record> {
        SourceReader(core.selectedColumns(place), .record(core.reader))
    }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> Columns {
        Columns(core: core, place: ColumnPlace(core, &place))
    }
}

extension OptionalColumns: QuerySource {
    @_documentation(visibility: internal)
    public var sourceNames: OptionalColumns { self }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalColumns { self }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? {
        core.columns.map(\.name) + (core.hasNeverNullColumn ? [] : [RowMarker.recordName])
    }

    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<Record?> {
        let reader = Columns(core: core, place: place).selectedReader
        if core.hasNeverNullColumn { return reader.optional }
        return reader.optional(where: marker, inTable: place.isMarkable ? place.table ?? core.name : nil)
    }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> OptionalColumns {
        let columns = ColumnPlace(core, &place)
        if core.hasNeverNullColumn { return OptionalColumns(core: core, place: columns) }
        defer { place.index += 1 }
        let marker = place.reference(to: place.index, named: RowMarker.recordName)
        return OptionalColumns(core: core, place: columns, marker: marker)
    }
}

extension TableCore {
    /// Whether NULL in all columns can only be a missing row.
    fileprivate var hasNeverNullColumn: Bool { columns.contains(where: \.isNeverNull) }
}
