/// The columns that a query has selected, as the columns of a common table expression: in closures a tuple of expressions, or a
/// single one.
@_documentation(visibility: internal)
public struct ResultColumns<each Column: Selectable>: QuerySource {
    let columns: (repeat each Column)
    /// The name of the common table expression in the query; `nil` for the columns that a query selects, and in the definition.
    private(set) var table: String?

    public typealias Output = (repeat (each Column).Output)

    init(_ column: repeat each Column) {
        columns = (repeat each column)
    }

    @_documentation(visibility: internal)
    public var sourceNames: (repeat each Column) { columns }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalResultColumns<repeat each Column> { OptionalResultColumns(base: self) }

    /// Returns the names of a record's columns, where it is the only part.
    @_documentation(visibility: internal)
    public var selectedNames: [String]? {
        var names: [[String]?] = []
        repeat names.append((each columns).selectedNames)
        return names.count == 1 ? names[0] : nil
    }

    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<(repeat (each Column).Output)> {
        var columnSQL: [SQL] = []
        var forms: [ColumnForm] = []
        var markedTables: [String] = []
        var layout = TupleLayout()
        func add<Part>(_ reader: SourceReader<Part>) {
            columnSQL += reader.columnSQL
            forms += reader.forms
            markedTables += reader.markedTables
            layout.append(reader)
        }
        repeat add((each columns).selectedReader)
        return SourceReader(columnSQL: columnSQL, forms: forms, markedTables: markedTables, reading: .layout(layout))
    }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> ResultColumns {
        var columns = ResultColumns(repeat (each columns).selectedPlaced(at: &place))
        columns.table = place.markableTable
        return columns
    }
}

/// The columns of a common table expression in an outer join that may have no matching row. All are optional.
@_documentation(visibility: internal)
public struct OptionalResultColumns<each Column: Selectable>: QuerySource {
    let base: ResultColumns<repeat each Column>
    /// The column of an inner query that is NULL where it had no matching row.
    var marker: SQL?

    public typealias Output = (repeat (each Column).Output)?

    @_documentation(visibility: internal)
    public var sourceNames: (repeat (each Column).IfMissing) { (repeat (each base.columns).sourceIfMissing) }

    @_documentation(visibility: internal)
    public var sourceIfMissing: OptionalResultColumns { self }

    @_documentation(visibility: internal)
    public var selectedNames: [String]? { nil }

    @_documentation(visibility: internal)
    public var selectedReader: SourceReader<(repeat (each Column).Output)?> {
        base.selectedReader.optional(where: marker, inTable: base.table)
    }

    @_documentation(visibility: internal)
    public func selectedPlaced(at place: inout SourcePlace) -> OptionalResultColumns {
        let base = base.selectedPlaced(at: &place)
        defer { place.index += 1 }
        return OptionalResultColumns(base: base, marker: place.reference(to: place.index))
    }
}
