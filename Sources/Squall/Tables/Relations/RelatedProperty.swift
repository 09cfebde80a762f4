/// A property of a record that a relation compares, with its column.
struct RelatedProperty<Record: TableRecord>: Sendable {
    private let keyPath: any PartialKeyPath<Record> & Sendable
    private let value: @Sendable (Record) -> (any Bindable)?

    init<Value: StatementParameter>(_ keyPath: any KeyPath<Record, Value> & Sendable) {
        self.keyPath = keyPath
        value = { $0[keyPath: keyPath] as? any Bindable }
    }

    /// The column of the property.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, and for a property without a column.
    func column() throws -> TableColumn<Record> {
        let core = Record.table.core
        try core.check()
        return try core.requireColumn(keyPath)
    }

    /// The name of the column. A property without a column gives its own name, which SQLite refuses when the table is created.
    var columnName: String { Record.table.core.column(keyPath)?.name ?? "\(keyPath)" }

    /// Returns the value of a record as its column stores it.
    func storedValue(in record: Record, column: TableColumn<Record>) throws -> BindingValue {
        guard let value = value(record) else { return .null }
        return try column.form?.encode(value) ?? value.checkedBindingValue()
    }
}

/// A table between the two tables of a relation, with a column for the key of each.
struct RelationLink: Sendable {
    /// The columns of a link, with the forms in which they store keys.
    struct Columns {
        let table: String
        let key: String
        let keyForm: StoredForm
        let other: String
        let otherForm: StoredForm

        /// Returns the link as a query names it: under a name that neither the enclosing queries use, nor the tables that are given.
        func placed(beside tables: [String]) -> Placed {
            var name = table
            var number = 2
            while QueryScope.contains(Identifier(name))
                || tables.contains(where: { Identifier($0) == Identifier(name) })
            {
                name = "\(table)_\(number)"
                number += 1
            }
            var sql: SQL = name == table ? "\(name: table)" : "\(name: table) AS \(name: name)"
            sql.uses(table: table)
            return Placed(
                table: sql, key: "\(name: name).\(name: key)", other: "\(name: name).\(name: other)"
            )
        }
    }

    /// The table and the columns of a link in a query.
    struct Placed {
        let table: SQL
        let key: SQL
        let other: SQL
    }

    /// Returns the columns.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, and for a property without a column.
    let columns: @Sendable () throws -> Columns

    private init(columns: @escaping @Sendable () throws -> Columns) {
        self.columns = columns
    }

    init<Link>(_ key: RelatedProperty<Link>, _ other: RelatedProperty<Link>) {
        self.init {
            let (key, other) = (try key.column(), try other.column())
            return Columns(
                table: Link.table.core.name, key: key.name, keyForm: key.storedForm, other: other.name,
                otherForm: other.storedForm
            )
        }
    }

    /// The link as the relation in the other direction uses it.
    var inverse: RelationLink {
        RelationLink { [columns] in
            let columns = try columns()
            return Columns(
                table: columns.table, key: columns.other, keyForm: columns.otherForm, other: columns.key,
                otherForm: columns.keyForm
            )
        }
    }
}

extension TableColumn {
    /// The form in which the column stores its values.
    var storedForm: StoredForm { form.map { .named($0.name) } ?? .plain }
}
