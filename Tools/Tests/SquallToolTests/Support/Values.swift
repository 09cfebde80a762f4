import Squall

extension TemporaryDirectory {
    /// Returns all values of a query of a database, row by row.
    func values(_ sql: SQL, in name: String = "test.db") throws -> [[BindingValue]] {
        let connection = try Connection(path(name), mode: .readOnly, configuration: .sqlite)
        defer { connection.close() }
        let rows: [Row] = try connection.prepare(sql).query()
        return rows.map { $0.columns.map(\.bindingValue) }
    }

    /// Returns the values of a query, as SQL literals.
    func literals(_ sql: SQL, in name: String = "test.db") throws -> [String] {
        try values(sql, in: name).map { row in row.map(\.testLiteral).joined(separator: " ") }
    }
}

extension BindingValue {
    fileprivate var testLiteral: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "'\(value)'"
        case .blob(let bytes), .malformedText(let bytes): "x'\(bytes.map { String(format: "%02x", $0) }.joined())'"
        }
    }
}
