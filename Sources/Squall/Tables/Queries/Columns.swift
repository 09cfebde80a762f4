/// The columns of a table in a query, by the properties of its record: `$0.age`, and `$0.address.city` for a property of a
/// property. Where the outer property is optional, it is `$0[\.address?.city]`.
///
/// A query throws when it names a property that is not in a column.
@dynamicMemberLookup
public struct Columns<Record>: Sendable {
    @usableFromInline package let core: TableCore<Record>
    @usableFromInline let place: ColumnPlace

    @inlinable
    package init(core: TableCore<Record>, place: ColumnPlace) {
        self.core = core
        self.place = place
    }

    @inlinable
    init(core: TableCore<Record>, alias: String?) {
        self.init(core: core, place: ColumnPlace(table: alias))
    }

    /// The whole record, among the values that a query selects: `.select { ($0.record, $1.id.count()) }`.
    ///
    /// A column of a property with this name is `$0[\.record]`.
    public var record: Columns { self }

    /// The column in the query.
    package func reference(to column: TableColumn<Record>) -> SQL { core.reference(to: column, place) }

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value> { self[dynamicMember: keyPath] }

    // Inlined, the compiler knows the offset of a stored property.
    @_documentation(visibility: internal)
    @inlinable
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> {
        core.expression(keyPath, MemoryLayout<Record>.offset(of: keyPath), type: Value.self, place)
    }
}

/// The columns of a table of an outer join. All are optional, because the table may have no matching row.
@dynamicMemberLookup
public struct OptionalColumns<Record>: Sendable {
    let core: TableCore<Record>
    let place: ColumnPlace
    /// The column of an inner query that is NULL where it had no matching row.
    var marker: SQL?

    /// The whole record, among the values that a query selects; `nil` where the table has no matching row.
    ///
    /// A column of a property with this name is `$1[\.record]`.
    public var record: OptionalColumns { self }

    /// The column of a nested property: `$1[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value?> { self[dynamicMember: keyPath] }

    /// The column of a nested property that is optional itself.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value?>) -> Expr<Value?> { self[dynamicMember: keyPath] }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value?> {
        core.expression(keyPath, MemoryLayout<Record>.offset(of: keyPath), type: Value.self, place)
    }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value?>) -> Expr<Value?> {
        core.expression(keyPath, MemoryLayout<Record>.offset(of: keyPath), type: Value?.self, place)
    }
}

/// The place of a record's columns in a query.
@usableFromInline
package struct ColumnPlace: Sendable {
    /// The name of the table in the query; `nil` if the query uses the table's own name.
    var table: String?
    /// Whether an outer join may have no matching row.
    var isOptional = false
    /// Whether the table can be a subquery with the column ``RowMarker/name``.
    var isMarkable = true
    /// The place of the first column, where the columns are numbered and do not have their names.
    var numbers: SourcePlace?

    @usableFromInline
    package init(table: String?) { self.table = table }

    /// Places the columns of a record, and moves the place behind them.
    init<Record>(_ core: TableCore<Record>, _ place: inout SourcePlace) {
        table = place.table
        isMarkable = !place.isRecursion
        if !place.hasNames { numbers = place }
        place.index += core.columns.count
    }

    /// Whether the query uses the table's own name, and the columns have their names.
    var isOwnName: Bool { table == nil && numbers == nil }

    func reference<Record>(to column: TableColumn<Record>, _ index: @autoclosure () -> Int) -> SQL {
        if let numbers { return numbers.reference(to: numbers.index + index()) }
        return table.map { "\(name: $0).\(name: column.name)" } ?? column.reference
    }
}

extension TableCore {
    /// Returns the column of a property as an expression. `Value` is the type of the column in the query.
    @usableFromInline
    func expression<Value>(
        _ keyPath: PartialKeyPath<Record>, _ offset: Int?, type: Any.Type, _ place: ColumnPlace
    ) -> Expr<Value> {
        guard let index = columnIndex(keyPath, offset, type: type) else {
            return Expr(ExprProperty(self, keyPath, place))
        }
        return Expr(expressionColumn(index, place))
    }

    /// Returns a column as an expression names it.
    func expressionColumn(_ index: Int, _ place: ColumnPlace) -> ExprParts {
        if place.isOwnName, !place.isOptional { return ownColumns[index] }
        let column = columns[index]
        return ExprParts(
            column: place.reference(to: column, index), form: column.form,
            name: place.numbers == nil ? column.name : nil, isNeverNull: column.isNeverNull && !place.isOptional)
    }

    /// The SQL of a column.
    fileprivate func reference(to column: TableColumn<Record>, _ place: ColumnPlace) -> SQL {
        place.reference(to: column, columns.firstIndex { $0.keyPath == column.keyPath } ?? 0)
    }

    /// The columns as a query selects them.
    func selectedColumns(_ place: ColumnPlace) -> SelectedColumns {
        if place.isOwnName { return selectedColumns }
        let references = columns.enumerated().map { place.reference(to: $1, $0) }
        return SelectedColumns(references, forms: selectedColumns.forms)
    }
}
