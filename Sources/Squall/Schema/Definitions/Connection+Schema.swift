extension Connection {
    /// Returns the definition of a table with its indexes and triggers, or `nil` if the table does not exist.
    ///
    ///     let cars = try connection.tableInfo("cars")
    ///     print(cars?.columns.map(\.name))
    ///
    /// It is read from `sqlite_schema` and `PRAGMA table_xinfo`. Hidden columns of virtual tables are left out.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - schema: The name of the database: `main`, `temp`, or one that was attached.
    /// - Throws: ``SQLiteError``.
    public func tableInfo(_ name: String, in schema: String = "main") throws -> TableDefinition? {
        let catalog = catalog(of: schema)
        guard let found = try catalog.entry(.table, named: name) else { return nil }
        var parser = TableParser(found.sql ?? "")
        var table = parser.isVirtual ? TableDefinition(name: found.name) : parser.table(named: found.name)
        let columns = try catalog.columns(ofTable: found.name).map { column in
            ColumnDefinition(
                name: column.name, type: column.type, notNull: column.isNotNull ? .init() : nil,
                defaultValue: column.defaultValue.map { SQL(raw: $0) }
            )
        }
        // The pragma decides which columns exist; the parser knows more about each one.
        let names = [columns, table.columns].map { $0.map { Identifier($0.name) } }
        if names[0] == names[1] {
            for (index, column) in columns.enumerated() where !column.type.isSameName(as: table.columns[index].type) {
                table.columns[index].type = column.type
            }
        } else {
            table.columns = columns
        }
        // Indexes that SQLite created for a constraint have no SQL.
        table.indexes = try catalog.entries(.index, ofTable: found.name, by: .name).filter { $0.sql != nil }
            .map { IndexDefinition($0, of: found.name) }
        table.triggers = try catalog.entries(.trigger, ofTable: found.name, by: .name).map { TriggerDefinition($0) }
        return table
    }

    /// Returns the names of the tables, without SQLite's internal tables and those that store a virtual table.
    ///
    /// - Throws: ``SQLiteError``.
    public func tableNames(in schema: String = "main") throws -> [String] {
        try catalog(of: schema).names(of: .table, by: .name)
    }

    /// Returns the definitions of all tables and views, without SQLite's internal tables and those that store a virtual table.
    ///
    /// - Throws: ``SQLiteError``.
    public func schemaDefinition(of schema: String = "main") throws -> SchemaDefinition {
        let tables = try tableNames(in: schema).compactMap { try tableInfo($0, in: schema) }
        let catalog = catalog(of: schema)
        let triggers = try catalog.entries(.trigger, by: .name).map { TriggerDefinition($0) }
        let views = try catalog.entries(.view, by: .name).map { view in
            let own = triggers.filter { $0.table.isSameName(as: view.name) }
            return ViewDefinition(name: view.name, sql: SQL(raw: view.sql ?? ""), triggers: own)
        }
        return SchemaDefinition(tables: tables, views: views)
    }
}

extension IndexDefinition {
    fileprivate init(_ entry: SchemaCatalog.Entry, of table: String) {
        var parser = TableParser(entry.sql ?? "")
        let (columns, isUnique, condition) = parser.index()
        self.init(name: entry.name, table: table, columns: columns, isUnique: isUnique, condition: condition)
    }
}

extension TriggerDefinition {
    init(_ entry: SchemaCatalog.Entry) {
        self.init(name: entry.name, table: entry.table, sql: SQL(raw: entry.sql ?? ""))
    }
}
