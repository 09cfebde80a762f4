import Squall
import SquallBase

/// A table, view, index or trigger of `sqlite_schema`.
struct SchemaEntry {
    enum Kind: String {
        case table, view, index, trigger
    }

    let kind: Kind
    let name: String
    /// The table of an index, or the table or view of a trigger; for other entries their own name.
    let table: String
    /// The statement that created it; empty for an index that SQLite made for a constraint.
    let sql: String

    /// Whether only SQLite itself may create an object with the name.
    var isOfSQLite: Bool { Identifier(String(decoding: name.utf8.prefix(7), as: UTF8.self)) == "sqlite_" }
}

extension Connection {
    /// Returns all entries in the order of their creation.
    func storedEntries() throws -> [SchemaEntry] {
        // The older name of `sqlite_schema`, which every version accepts.
        let rows: [SchemaEntry?] = try query("SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY rowid")
        {
            guard let kind = SchemaEntry.Kind(rawValue: try $0.get(0)) else { return nil }
            return SchemaEntry(kind: kind, name: try $0.get(1), table: try $0.get(2), sql: try $0.get(3) ?? "")
        }
        return rows.compactMap(\.self)
    }

    /// Returns the entries in the order of their creation, without those that SQLite makes itself: its internal tables, the
    /// indexes of constraints, and the tables in which virtual tables store their content.
    func schemaEntries() throws -> [SchemaEntry] {
        let shadows = Set(try tableListings().filter { $0.kind == .shadow }.map { Identifier($0.name) })
        return try storedEntries().filter {
            !$0.sql.isEmpty && !$0.isOfSQLite && !shadows.contains(Identifier($0.table))
        }
    }

    /// Returns whether the database has a table of SQLite, such as the statistics, which ANALYZE makes.
    func hasInternalTable(_ name: String) throws -> Bool { try storedEntries().contains { $0.name == name } }

    /// Returns whether the database has statistics, which ANALYZE makes.
    func hasStatistics() throws -> Bool { try hasInternalTable("sqlite_stat1") }
}

extension SchemaEntry {
    var isTableOrView: Bool { kind == .table || kind == .view }

    /// When a trigger fires: `AFTER UPDATE OF name`.
    var triggerEvent: String {
        let tokens = SQLTokenizer.tokens(of: sql)
        let events = ["BEFORE", "AFTER", "INSTEAD", "INSERT", "UPDATE", "DELETE"]
        // The name of the trigger may be one of the words if it is in quotes, and `IF NOT EXISTS` is not among them.
        guard let start = tokens.firstIndex(where: { token in events.contains { token.is($0) } }) else { return "" }
        let end = tokens[start...].firstIndex { $0.is("ON") } ?? tokens.endIndex
        return tokens[start..<end].map { $0.kind == .name ? $0.text.sqlName : $0.text }.joined(separator: " ")
            .replacing(" ,", with: ",")
    }

    /// The module of a virtual table, for instance `fts5`, and its arguments as they are written; `nil` for other entries.
    var module: (name: String, arguments: [[Token]])? {
        let tokens = SQLTokenizer.tokens(of: sql)
        guard kind == .table, tokens.count > 2, tokens[1].is("VIRTUAL"),
            let using = tokens.firstIndex(where: { $0.is("USING") }), using + 1 < tokens.count
        else { return nil }
        let list = tokens[(using + 2)...].dropFirst().dropLast()
        return (tokens[using + 1].text, list.split { $0.is(",") }.map(Array.init))
    }
}
