/// The columns of a table in a query, by the properties of its record: `$0.age`, and `$0.address.city` for a property of a
/// property. Where the outer property is optional, it is `$0[\.address?.city]`.
///
/// A query throws when it names a property that is not in a column.
@dynamicMemberLookup
public struct Columns<Record>: Sendable {
    let core: TableCore<Record>
    /// The name of the table in the query; `nil` if the query uses the table's own name.
    let alias: String?

    /// The column of a nested property: `$0[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value> { self[dynamicMember: keyPath] }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> {
        core.expression(keyPath, type: Value.self, alias)
    }
}

/// The columns of a table that was added by a left join. All are optional, because the table may have no matching row.
@dynamicMemberLookup
public struct OptionalColumns<Record>: Sendable {
    let core: TableCore<Record>
    /// The name of the table in the query; `nil` if the query uses the table's own name.
    let alias: String?

    /// The column of a nested property: `$1[\.address.city]`.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> Expr<Value?> { self[dynamicMember: keyPath] }

    /// The column of a nested property that is optional itself.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value?>) -> Expr<Value?> { self[dynamicMember: keyPath] }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value?> {
        core.expression(keyPath, type: Value.self, alias)
    }

    @_documentation(visibility: internal)
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value?>) -> Expr<Value?> {
        core.expression(keyPath, type: Value?.self, alias)
    }
}

extension TableCore {
    /// Returns the column of a property as an expression. `Value` is the type of the column in the query.
    fileprivate func expression<Value>(
        _ keyPath: PartialKeyPath<Record>, type: Any.Type, _ alias: String?
    ) -> Expr<Value> {
        guard let column = column(keyPath, type: type) else { return Expr(ExprProperty(self, keyPath, alias)) }
        return Expr(atom: reference(to: column, alias), form: column.form, column: column.name)
    }

    func reference(to column: TableColumn<Record>, _ alias: String?) -> SQL {
        alias.map { "\(name: $0).\(name: column.name)" } ?? column.reference
    }

    /// Makes a record of the columns from `first` on.
    func record(from row: Row, first: Int) throws -> Record {
        var columns = ColumnReader(row, layout: layout, first: first)
        // A `ColumnReader` retains neither.
        defer { withExtendedLifetime(row.storage) { withExtendedLifetime(self) {} } }
        return try make(&columns)
    }
}
