/// A value that SQLite passes to a virtual table as a pointer, for instance an array. The table is that of a module that a connection gets
/// when a statement first uses it.
protocol TableParameter: AnyObject, Sendable {
    /// Binds the value to a parameter of a statement.
    ///
    /// - Returns: A result code of SQLite.
    func bind(to statement: OpaquePointer, _ index: Int32) -> Int32

    /// Adds the module of the table to a connection.
    ///
    /// - Returns: A result code of SQLite.
    func addModule(to handle: OpaquePointer) -> Int32
}

extension SQL.StringInterpolation {
    /// Appends a call of a table function with one parameter: `name(?)`.
    mutating func appendTable(_ name: String, _ parameter: any TableParameter) {
        appendLiteral("\(name)(")
        append(parameter)
        appendLiteral(")")
    }
}

/// The value of a parameter of SQL.
enum SQLParameter: StatementParameter {
    typealias ColumnBase = BindingValue

    case value(BindingValue)
    case table(any TableParameter)

    func bind(to destination: BindingDestination) throws {
        switch self {
        case .value(let value): try value.bind(to: destination)
        case .table(let table): try destination.bind(table)
        }
    }
}

extension BindingDestination {
    fileprivate func bind(_ table: any TableParameter) throws {
        // The statement must not keep the table when it returns to the cache.
        arena?.pointee.noteCopy(ofSize: Int.max)
        try check(table.bind(to: target, index))
    }
}
