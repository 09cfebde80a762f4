import Squall

/// What SQLite's pragmas report about a table.
struct TableTraits {
    struct Column: Equatable {
        let name: String
        let type: String
        let isNotNull: Bool
        let defaultValue: String?
        let keyPosition: Int
        let hidden: Int
    }

    let name: String
    let sql: String?
    private(set) var columns: [Column]
    let isStrict: Bool
    let isWithoutRowID: Bool
    let foreignKeys: [String]
    /// The SQL of the indexes and triggers, and the keys of the indexes that belong to constraints.
    let dependents: [String]

    init(of name: String, in connection: Connection) throws {
        self.name = name
        sql = try connection.query("SELECT sql FROM sqlite_schema WHERE name = \(name) AND type = 'table'")
        columns = try connection.query(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(\(name)) WHERE hidden <> 1"
        ) { row in
            Column(
                name: try row.get(0), type: try row.get(1), isNotNull: try row.get(2), defaultValue: try row.get(3),
                keyPosition: try row.get(4), hidden: try row.get(5))
        }
        (isStrict, isWithoutRowID) =
            try connection.first(
                "SELECT strict, wr FROM pragma_table_list(\(name)) WHERE schema = 'main'", as: (Bool, Bool).self) ?? (
                false, false
            )
        foreignKeys = try connection.query(
            "SELECT seq || quote(\"table\") || quote(\"from\") || quote(\"to\") || on_update || on_delete FROM pragma_foreign_key_list(\(name))"
        ).sorted()
        dependents = try connection.query(
            """
            SELECT type || quote(name) || sql FROM sqlite_schema WHERE tbl_name = \(name) COLLATE NOCASE AND type IN ('index', 'trigger') AND sql <> ''
            UNION ALL SELECT l."unique" || l.origin || l.partial || x.seqno || ifnull(quote(x.name), '') || x."desc" || quote(x.coll)
            FROM pragma_index_list(\(name)) l, pragma_index_xinfo(l.name) x WHERE l.origin <> 'c' AND x.key ORDER BY 1
            """)
    }

    /// The columns of the primary key, in its order.
    var primaryKey: [String] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
}
