import Squall

/// The rows of a query, or the expected ones.
struct RowTable: Sendable {
    /// The names of the columns; empty for expected rows.
    let columns: [String]
    let rows: [[BindingValue]]

    /// - Throws: The error of a value that cannot be stored.
    init(_ rows: [[(any Bindable)?]]) throws {
        columns = []
        self.rows = try rows.map { try $0.map { try $0?.checkedBindingValue() ?? .null } }
    }

    /// Runs a query.
    init(_ sql: SQL, on connection: Connection) throws {
        let statement = try connection.prepare(sql)
        rows = try statement.query { $0.columns.map(\.bindingValue) }
        columns = statement.columnNames
    }

    /// Returns the widths of the columns that both tables have as text.
    func widths(with other: RowTable) -> [Int] {
        let lines = [columns, other.columns] + (rows + other.rows).map { $0.map(\.cell) }
        return (0..<(lines.map(\.count).max() ?? 0)).map { column in
            lines.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
    }

    /// Returns the rows as text, with aligned columns.
    func lines(_ widths: [Int]) -> [String] {
        rows.map { Self.line($0.map(\.cell), widths) }
    }

    /// Returns the names of the columns and a line below them.
    func header(_ widths: [Int]) -> [String] {
        let lines = zip(columns, widths).map { String(repeating: "-", count: $1) }
        return [Self.line(columns, widths), lines.joined(separator: "-+-")]
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        return padded.joined(separator: " | ").trimmingTrailingSpace
    }
}

extension BindingValue {
    /// The value as an SQL literal, in one line.
    fileprivate var cell: String {
        let sql: SQL = "\(self)"
        return sql.debugDescription.map { character in
            character.isNewline || character == "\t" ? character.debugText : String(character)
        }.joined()
    }
}

extension Character {
    /// The character as it is written in Swift.
    fileprivate var debugText: String { String(String(self).debugDescription.dropFirst().dropLast()) }
}

extension String {
    fileprivate var trimmingTrailingSpace: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
