/// A column of a table's primary key.
struct KeyColumn: Sendable {
    let name: String
    /// `"users"."id"`
    let reference: SQL
    let isNeverNull: Bool

    init<Record>(_ column: TableColumn<Record>) {
        name = column.name
        reference = column.reference
        isNeverNull = column.isNeverNull
    }

    /// Returns the term of an order by the column. `isOptional` is whether the table may have no matching row.
    func term(_ alias: String?, isOptional: Bool) -> OrderTerm {
        let reference: SQL = alias.map { "\(name: $0).\(name: name)" } ?? reference
        return OrderTerm(
            expression: reference, isDescending: false, valueType: isNeverNull && !isOptional ? nil : Any?.self)
    }
}
