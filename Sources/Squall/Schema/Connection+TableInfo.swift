extension Connection {
    /// What a table of the file is, with its indexes and triggers; `nil` when there is no such table.
    ///
    ///     let cars = try connection.tableInfo("cars")
    ///     print(cars?.columns.map(\.name))
    ///
    /// It is read from `sqlite_schema` and `PRAGMA table_xinfo`. Hidden columns of virtual tables are left out.
    ///
    /// - Parameter schema: The name of the database: `main`, `temp`, or one that was attached.
    /// - Throws: ``SQLiteError``.
    public func tableInfo(_ name: String, in schema: String = "main") throws -> TableDefinition? {
        let found: (name: String, sql: String?)? = try query(
            """
            SELECT name, sql FROM \(name: schema).\(raw: Self.master(of: schema)) \
            WHERE type = 'table' AND name = \(name) COLLATE NOCASE
            """
        ) { (try $0.get(0), try $0.get(1)) }
        guard let found else { return nil }
        var parser = TableParser(found.sql ?? "")
        var table = parser.isVirtual ? TableDefinition(name: found.name) : parser.table(named: found.name)
        let columns: [ColumnDefinition] = try query(
            "SELECT name, type, \"notnull\", dflt_value FROM pragma_table_xinfo(\(found.name), \(schema)) WHERE hidden <> 1"
        ) { row in
            let isNotNull: Bool = try row.get(2)
            let defaultValue: String? = try row.get(3)
            return ColumnDefinition(
                name: try row.get(0), type: try row.get(1), notNull: isNotNull ? .init() : nil,
                defaultValue: defaultValue.map { SQL(raw: $0) }
            )
        }
        // The pragma is the authority on what there is; the parser knows more about each.
        let names = [columns, table.columns].map { $0.map { Identifier($0.name) } }
        if names[0] == names[1] {
            for (index, column) in columns.enumerated() where !column.type.isSameName(as: table.columns[index].type) {
                table.columns[index].type = column.type
            }
        } else {
            table.columns = columns
        }
        table.indexes = try indexes(ofTable: found.name, in: schema)
        table.triggers = try triggers(ofTable: found.name, in: schema)
        return table
    }

    /// The names of the tables of the file, without SQLite's own.
    ///
    /// - Throws: ``SQLiteError``.
    public func tableNames(in schema: String = "main") throws -> [String] {
        try query(
            """
            SELECT name FROM \(name: schema).\(raw: Self.master(of: schema)) \
            WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """
        )
    }

    private func indexes(ofTable name: String, in schema: String) throws -> [IndexDefinition] {
        // Those that SQLite made for a constraint have no SQL.
        try query(
            """
            SELECT name, sql FROM \(name: schema).\(raw: Self.master(of: schema)) \
            WHERE type = 'index' AND tbl_name = \(name) COLLATE NOCASE AND sql IS NOT NULL ORDER BY name
            """
        ) { row in
            let sql: String = try row.get(1)
            var parser = TableParser(sql)
            let (columns, isUnique, condition) = parser.index()
            return IndexDefinition(
                name: try row.get(0), table: name, columns: columns, isUnique: isUnique, condition: condition
            )
        }
    }

    private func triggers(ofTable name: String, in schema: String) throws -> [TriggerDefinition] {
        try query(
            """
            SELECT name, tbl_name, sql FROM \(name: schema).\(raw: Self.master(of: schema)) \
            WHERE type = 'trigger' AND tbl_name = \(name) COLLATE NOCASE ORDER BY name
            """
        ) {
            TriggerDefinition(name: try $0.get(0), table: try $0.get(1), sql: SQL(raw: try $0.get(2, as: String.self)))
        }
    }

    /// `sqlite_schema` under the name that SQLite has always known; that of temporary tables has another.
    private static func master(of schema: String) -> String {
        schema.isSameName(as: "temp") ? "sqlite_temp_master" : "sqlite_master"
    }
}
