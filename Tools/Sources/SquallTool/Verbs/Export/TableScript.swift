import Squall

/// SQL that creates a table and inserts rows. The rows of a view become a table.
struct TableScript {
    private let output: Output
    /// The statements that follow the rows: indexes and triggers.
    private let end: [String]
    /// The SQL that follows the rows of a table with AUTOINCREMENT.
    private let highestKey: String
    /// The columns that can be inserted.
    let columns: [String]
    private let head: [UInt8]
    private let literal: SQLLiteral
    private var line: [UInt8] = []

    /// Writes the statements that precede the rows.
    ///
    /// - Parameters:
    ///   - name: The name of a table or a view.
    ///   - chosen: The names of columns; `nil` for all of them.
    init(_ name: String, _ chosen: [String]?, _ connection: Connection, _ output: Output) throws {
        self.output = output
        literal = try SQLLiteral(connection)
        let table = try connection.tableInfo(name)
        let creation: String
        if let table, chosen == nil {
            let isWritten = table.columns.map { $0.generated == nil }
            // The rows of a full-text index are found by their rowid.
            let rowID = try Self.isFullText(name, connection) ? ["rowid"] : []
            columns = rowID + zip(table.columns, isWritten).filter(\.1).map(\.0.name)
            let list: SQL = isWritten.contains(false) || !rowID.isEmpty ? "(\(Self.list(columns)))" : ""
            head = Array("INSERT INTO \((SQL("\(name: table.name)") + list).text) VALUES(".utf8)
            creation = try Self.statements([.table], of: table.name, connection).first ?? table.sql.text
            highestKey =
                try connection.highestKey(of: table.name).map { AutoincrementScript(table.name, $0).text } ?? ""
            end = try Self.statements([.index, .trigger], of: table.name, connection)
        } else {
            let selected: SQL = chosen.map { Self.list($0, of: name) } ?? "*"
            columns = try connection.prepare("SELECT \(selected) FROM \(name: name) AS \(name: name)").columnNames
            let own = table?.name ?? name
            let new = TableDefinition(
                name: own, columns: columns.map { Self.column($0, of: table) }, isStrict: table?.isStrict ?? false
            )
            head = Array("INSERT INTO \(SQL("\(name: own)").text) VALUES(".utf8)
            creation = new.sql.text
            highestKey = ""
            end = []
        }
        output.escapeOnTerminal()
        try output.write("PRAGMA foreign_keys = OFF;\nBEGIN TRANSACTION;\n\(creation);\n")
    }

    /// Returns a column without its constraints, which may be about columns that were not chosen.
    private static func column(_ name: String, of table: TableDefinition?) -> ColumnDefinition {
        let declared = table?.columns.first { Identifier($0.name) == Identifier(name) }
        return ColumnDefinition(name: name, type: declared?.type ?? "")
    }

    private static func list(_ columns: [String]) -> SQL {
        columns.map { "\(name: $0)" as SQL }.joined(separator: ", ")
    }

    /// Returns a list of columns with their table: SQLite takes an unknown name without a table as a text.
    static func list(_ columns: [String], of table: String) -> SQL {
        columns.map { "\(name: table).\(name: $0)" as SQL }.joined(separator: ", ")
    }

    private static func isFullText(_ name: String, _ connection: Connection) throws -> Bool {
        let modules = try connection.schemaEntries().filter { $0.name.isSameName(as: name) }.compactMap(\.module?.name)
        return modules.contains { module in ["fts3", "fts4", "fts5"].contains { $0.isSameName(as: module) } }
    }

    private static func statements(
        _ kinds: [SchemaEntry.Kind], of table: String, _ connection: Connection
    ) throws -> [String] {
        let entries = try connection.storedEntries().filter { !$0.sql.isEmpty && $0.table.isSameName(as: table) }
        return kinds.flatMap { kind in entries.filter { $0.kind == kind }.map(\.sql) }
    }

    mutating func write(_ row: [Cell]) throws {
        line.removeAll(keepingCapacity: true)
        line.append(contentsOf: head)
        for index in row.indices {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            try literal.append(row[index], to: &line)
        }
        line.append(contentsOf: ");\n".utf8)
        try output.write(line)
    }

    /// Writes the statements that follow the rows.
    func finish() throws {
        try output.write(highestKey)
        for statement in end { try output.write(statement.withSemicolon + "\n") }
        try output.write("COMMIT;\n")
    }
}
