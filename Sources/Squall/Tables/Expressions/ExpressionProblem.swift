/// The reason why a typed expression, or an assignment, does not make SQL.
public enum ExpressionProblem: SQLiteProblem {
    /// Thrown when values that are stored in different forms are compared or assigned.
    case differentForms(sql: String)
    /// Thrown when a relation compares columns that are declared with different collations.
    case differentCollations(sql: String)
    /// Thrown when SQL would compute with the stored values of a column that has a ``StorageForm``, as in `$0.number + 1`, or
    /// would order the texts of a `Decimal`, as in `$0.price < 20`.
    case computedForm(sql: String, form: String)
    /// Thrown when a column of bytes is searched as a JSON array.
    case notJSON(sql: String)
    /// Thrown when a query names a property of a column's value, such as `$0.name.hashValue`.
    case nestedInColumn(sql: String, property: String)
    /// Thrown when a query names a property of an optional property in another way than `$0[\.address?.city]`.
    case optionalProperty(outer: String, inner: String)
    /// Thrown when an expression divides by a literal 0.
    case divisionByZero
    /// Thrown when an update sets something other than a column.
    case notAColumn(sql: String)
    /// Thrown when an update sets a column twice, of which SQLite would ignore the first.
    case assignedTwice(column: String)
}

extension ExpressionProblem {
    public var code: ResultCode { .misuse }

    public var message: String {
        switch self {
        case .differentForms(let sql): "columns that are stored in different forms: \(sql)"
        case .differentCollations(let sql): "columns that are compared by different collations: \(sql)"
        case .computedForm(let sql, let form):
            "\(sql) is stored in the form \(form): a query would order and compute with the stored values, which `cast(to:)` returns"
        case .notJSON(let sql): "\(sql) has bytes, and not a JSON array"
        case .nestedInColumn(let sql, let property): "\(sql) has no column for its property \(property)"
        case .optionalProperty(let outer, let inner):
            "\(outer) is optional: the column of its property \(inner) is named as in `$0[\\.outer?.inner]`"
        case .divisionByZero: "a division by 0"
        case .notAColumn(let sql): "only a column can be set, not \(sql)"
        case .assignedTwice(let column): "the update sets \"\(column)\" twice"
        }
    }
}
