#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property of a record that a relation compares, with its column.
@usableFromInline
struct RelatedProperty<Record: TableRecord>: Sendable {
    private let keyPath: any PartialKeyPath<Record> & Sendable
    private let value: @Sendable (Record) -> (any Bindable)?

    // Inlinable: the closure is specialised where the relation is declared. In generic code, the cast takes longer than the rest.
    @inlinable
    init<Value: StatementParameter>(_ keyPath: any KeyPath<Record, Value> & Sendable) {
        self.init(keyPath) { $0[keyPath: keyPath] as? any Bindable }
    }

    @usableFromInline
    init(
        _ keyPath: any PartialKeyPath<Record> & Sendable, _ value: @escaping @Sendable (Record) -> (any Bindable)?
    ) {
        self.keyPath = keyPath
        self.value = value
    }

    /// The column of the property.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, and for a property without a column.
    func column() throws -> TableColumn<Record> { Record.table.core.columns[try columnIndex()] }

    func columnIndex() throws -> Int {
        let core = Record.table.core
        try core.check()
        return try core.requireColumnIndex(keyPath)
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
@usableFromInline
struct RelationLink: Sendable {
    /// The table of a link and its columns.
    struct Columns {
        let table: TableEntry
        let key: RelationKey
        let other: RelationKey

        /// Returns the link as a query names it: under a name that neither the enclosing queries use, nor the tables that are given.
        func placed(beside tables: [String]) -> Placed {
            var name = table.name
            var number = 2
            while QueryScope.contains(name)
                || tables.contains(where: { Identifier($0) == Identifier(name) })
            {
                name = "\(table.name)_\(number)"
                number += 1
            }
            let sql: SQL = name == table.name ? table.sql : "\(table.sql) AS \(name: name)"
            return Placed(table: sql, key: key.reference(in: name), other: other.reference(in: name))
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

    @usableFromInline
    init<Link>(_ key: RelatedProperty<Link>, _ other: RelatedProperty<Link>) {
        self.init {
            Columns(
                table: Link.table.entry, key: RelationKey(try key.column()), other: RelationKey(try other.column()))
        }
    }

    /// The link as the relation in the other direction uses it.
    var inverse: RelationLink {
        RelationLink { [columns] in
            let columns = try columns()
            return Columns(table: columns.table, key: columns.other, other: columns.key)
        }
    }
}

/// A column that a relation compares, without its record.
struct RelationKey: Sendable {
    private let name: String
    private let form: StoredForm
    private let collation: Identifier

    init<Record>(_ column: TableColumn<Record>) {
        name = column.name
        form = column.storedForm
        collation = Identifier(column.definition.collation ?? "BINARY")
    }

    func reference(in table: String) -> SQL { "\(name: table).\(name: name)" }

    /// Returns the same value for keys that are equal for SQLite: numbers of the same value, and texts of the column's collation. Of a
    /// collation that the program defines, only equal texts are known to be equal.
    func comparable(_ key: BindingValue) -> BindingValue {
        switch key {
        case .real(let number): Int64(exactly: number).map { .integer($0) } ?? key
        case .text(let text) where collation == "NOCASE": .text(text.asciiFolded)
        case .text(let text) where collation == "RTRIM":
            .text(String(decoding: text.utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed(), as: UTF8.self))
        case .malformedText(let bytes) where collation == "NOCASE": .malformedText(Data(bytes.map(\.asciiFolded)))
        case .malformedText(let bytes) where collation == "RTRIM":
            .malformedText(Data(bytes.reversed().drop { $0 == UInt8(ascii: " ") }.reversed()))
        case .null, .integer, .text, .blob, .malformedText: key
        }
    }

    /// Makes the statement throw when the columns differ in their storage form or collation.
    func check(fits other: RelationKey, in sql: inout SQL) {
        sql.check(form, fits: other.form)
        if collation != other.collation { sql.fail(SQLiteError(ExpressionProblem.differentCollations(sql: sql.text))) }
    }
}

extension TableColumn {
    /// The form in which the column stores its values.
    var storedForm: StoredForm { form.map { .named($0.name) } ?? .plain }
}
