/// A declared table in a query, by its primary key.
protocol KeyedTable: AnyObject, Sendable {
    /// The terms of the order by the primary key. `isOptional` is whether the table may have no matching row.
    func keyTerms(_ alias: String?, isOptional: Bool) -> [OrderTerm]
}

extension TableCore: KeyedTable {
    func keyTerms(_ alias: String?, isOptional: Bool) -> [OrderTerm] {
        keys.map { key in
            let reference: SQL = alias.map { "\(name: $0).\(name: key.name)" } ?? key.reference
            let isNeverNull = key.isNeverNull && !isOptional
            return OrderTerm(expression: reference, isDescending: false, valueType: isNeverNull ? nil : Any?.self)
        }
    }
}
