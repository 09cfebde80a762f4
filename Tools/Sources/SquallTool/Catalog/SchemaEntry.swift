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
    let sql: String
}

extension Connection {
    /// Returns the entries in the order of their creation, without those that SQLite makes itself: its internal tables, the
    /// indexes of constraints, and the tables in which virtual tables store their content.
    func schemaEntries() throws -> [SchemaEntry] {
        let shadows = Set(try tableListings().filter { $0.kind == .shadow }.map { Identifier($0.name) })
        // The older name of `sqlite_schema`, which every version accepts.
        let rows: [SchemaEntry?] = try query(
            """
            SELECT type, name, tbl_name, sql FROM main.sqlite_master
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
            """
        ) { row in
            let (kind, name, table): (String, String, String) = (try row.get(0), try row.get(1), try row.get(2))
            guard let kind = SchemaEntry.Kind(rawValue: kind), !shadows.contains(Identifier(table)) else { return nil }
            return SchemaEntry(kind: kind, name: name, table: table, sql: try row.get(3))
        }
        return rows.compactMap(\.self)
    }
}

extension Connection {
    /// Whether the database has statistics, which ANALYZE makes.
    func hasStatistics() throws -> Bool {
        try query("SELECT count(*) FROM main.sqlite_master WHERE name = 'sqlite_stat1'") > 0
    }
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
