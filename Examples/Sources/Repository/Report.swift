import Squall

/// A report that the program has as data: its SQL, and the values of its parameters in their order or by name.
struct Report {
    let title: String
    let sql: SQL
    let values: any ParameterList

    /// Runs the report, whose result is one value, a list, a set, a dictionary or a record.
    func result<Result: QueryResult>(on connection: Connection) throws -> Result { try connection.query(sql, values) }

    /// Runs the report, whose result has a row for each element.
    func list<Element: RowElement>(on connection: Connection) throws -> [Element] { try result(on: connection) }
}
