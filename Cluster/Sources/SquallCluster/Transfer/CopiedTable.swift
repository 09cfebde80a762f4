import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A table whose rows are copied one by one.
struct CopiedTable {
    let name: String
    /// Whether another table, of an extension, owns the rows.
    let isShadow: Bool
    /// The columns that can be written, with the rowid if no column has it.
    let columns: [String]
    /// The columns whose order is the order of the rows.
    private let order: [String]

    /// Reads the tables of a database that store rows.
    static func all(of connection: Connection) throws -> [CopiedTable] {
        // Also in a file of an older SQLite, whose schema table has another name, the listing has it as `sqlite_`.
        let listed = try connection.query(
            #"""
            SELECT name, type, wr FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
            ORDER BY name
            """#, as: (String, String, Bool).self)
        return try listed.map { try CopiedTable($0.0, isShadow: $0.1 == "shadow", isKeyed: $0.2, connection) }
    }

    private init(_ name: String, isShadow: Bool, isKeyed: Bool, _ connection: Connection) throws {
        self.name = name
        self.isShadow = isShadow
        // A generated column is hidden as well.
        let found = try connection.query(
            "SELECT name, type, pk FROM pragma_table_xinfo(\(name)) WHERE hidden = 0",
            as: (String, String, Int).self)
        let names = found.map(\.0)
        let key = found.filter { $0.2 > 0 }.sorted { $0.2 < $1.2 }
        if isKeyed || key.count == 1 && key[0].1.uppercased() == "INTEGER" {
            columns = names
            order = key.map(\.0)
        } else {
            let taken = Set(names.map { $0.lowercased() })
            let rowID = ["rowid", "_rowid_", "oid"].filter { !taken.contains($0) }.prefix(1)
            columns = rowID + names
            order = rowID.isEmpty ? names : Array(rowID)
        }
    }

    /// The statement that reads the rows in their order.
    ///
    /// A column of a type like DATETIME is read as an expression: as a column, a node sends its NULL as an empty text.
    var selection: String {
        let values = columns.map { "+" + $0.quoted }.joined(separator: ", ")
        return "SELECT \(values) FROM \(name.quoted) ORDER BY \(order.map(\.quoted).joined(separator: ", "))"
    }

    /// The largest number of rows that a statement can insert.
    var batchSize: Int { min(max(Request.maximumOfShortParameters / columns.count, 1), 100) }

    func insertion(rows count: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        return "INSERT INTO \(name.quoted)(\(columns.map(\.quoted).joined(separator: ", "))) VALUES "
            + Array(repeating: row, count: count).joined(separator: ", ")
    }

    /// Throws an error if a node cannot take the rows, or reading would change them: a text that is not UTF-8 is read as NULL.
    func check(in file: Connection) throws {
        let limit = Request.maximumOfShortParameters
        guard columns.count <= limit else {
            throw TransferError.tooManyColumns(table: name, count: columns.count, limit: limit)
        }
        guard try file.query("PRAGMA encoding") as String == "UTF-8" else { return }
        for column in columns { try checkText(of: column, in: file) }
    }

    private func checkText(of column: String, in file: Connection) throws {
        let value = column.quoted
        let sql = "SELECT CAST(\(value) AS BLOB) FROM \(name.quoted) WHERE typeof(\(value)) = 'text'"
        try file.forEach(SQL(raw: sql)) { row in
            let bytes: Data = try row.get(0)
            if bytes.contains(0) { throw TransferError.zeroByte(table: name, column: column) }
            if String(bytes: bytes, encoding: .utf8) == nil {
                throw TransferError.invalidText(table: name, column: column)
            }
        }
    }
}

extension Row {
    /// The values of all columns.
    var values: [BindingValue] {
        get throws { try (0..<columnCount).map { try get($0) as BindingValue? ?? .null } }
    }
}
