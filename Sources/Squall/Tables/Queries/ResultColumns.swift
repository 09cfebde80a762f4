/// The columns that a query has selected, as the columns of a common table expression: in closures a tuple of expressions, or a
/// single one.
public struct ResultColumns<each Column: Selectable>: QuerySource {
    let columns: (repeat each Column)

    public typealias Output = (repeat (each Column).Output)

    init(_ column: repeat each Column) {
        columns = (repeat each column)
    }

    @_documentation(visibility: internal)
    public var names: (repeat each Column) { columns }

    @_documentation(visibility: internal)
    public var ifMissing: OptionalResultColumns<repeat each Column> { OptionalResultColumns(base: self) }

    /// Returns the names of a record's columns, where it is the only part.
    @_documentation(visibility: internal)
    public var columnNames: [String]? {
        var names: [[String]?] = []
        repeat names.append((each columns).columnNames)
        return names.count == 1 ? names[0] : nil
    }

    @_documentation(visibility: internal)
    public var reader: SourceReader<(repeat (each Column).Output)> {
        var columnSQL: [SQL] = []
        var forms: [ColumnForm] = []
        let readers = (repeat (each columns).reader)
        func add<Part>(_ reader: SourceReader<Part>) {
            columnSQL += reader.columnSQL
            forms += reader.forms
        }
        repeat add(each readers)
        return SourceReader(columnSQL: columnSQL, forms: forms) { row, first in
            var index = first
            func next<Part>(_ reader: SourceReader<Part>) throws -> Part {
                defer { index += reader.forms.count }
                return try reader.read(row, index)
            }
            return (repeat try next(each readers))
        }
    }

    @_documentation(visibility: internal)
    public func placed(at place: inout SourcePlace) -> ResultColumns {
        ResultColumns(repeat (each columns).placed(at: &place))
    }
}

/// The columns of a common table expression in an outer join that may have no matching row. All are optional.
public struct OptionalResultColumns<each Column: Selectable>: QuerySource {
    let base: ResultColumns<repeat each Column>

    public typealias Output = (repeat (each Column).Output)?

    @_documentation(visibility: internal)
    public var names: (repeat (each Column).IfMissing) { (repeat (each base.columns).ifMissing) }

    @_documentation(visibility: internal)
    public var ifMissing: OptionalResultColumns { self }

    @_documentation(visibility: internal)
    public var columnNames: [String]? { base.columnNames }

    @_documentation(visibility: internal)
    public var reader: SourceReader<(repeat (each Column).Output)?> { base.reader.optional }

    @_documentation(visibility: internal)
    public func placed(at place: inout SourcePlace) -> OptionalResultColumns {
        OptionalResultColumns(base: base.placed(at: &place))
    }
}
