/// What a file has: tables and views. Two are equal when their definitions are, character by character.
///
///     let before = try connection.schemaDefinition()
///     try JSONEncoder().encode(before)
public struct SchemaDefinition: Hashable, Codable, Sendable {
    /// The tables by name, with their indexes and triggers.
    public var tables: [TableDefinition]
    public var views: [ViewDefinition]

    public init(tables: [TableDefinition] = [], views: [ViewDefinition] = []) {
        self.tables = tables
        self.views = views
    }
}

extension Connection {
    /// All tables and views of the file, without SQLite's own tables.
    ///
    /// - Throws: ``SQLiteError``.
    public func schemaDefinition(of schema: String = "main") throws -> SchemaDefinition {
        let tables = try tableNames(in: schema).compactMap { try tableInfo($0, in: schema) }
        let isTemporary = schema.lowercased() == "temp"
        let master: SQL = isTemporary ? "sqlite_temp_master" : "\(name: schema).sqlite_master"
        let triggers: [TriggerDefinition] = try query(
            "SELECT name, tbl_name, sql FROM \(master) WHERE type = 'trigger' ORDER BY name"
        ) {
            TriggerDefinition(name: try $0.get(0), table: try $0.get(1), sql: SQL(raw: try $0.get(2, as: String.self)))
        }
        let views: [ViewDefinition] = try query(
            "SELECT name, sql FROM \(master) WHERE type = 'view' ORDER BY name"
        ) { row in
            let name: String = try row.get(0)
            let own = triggers.filter { $0.table.lowercased() == name.lowercased() }
            return ViewDefinition(name: name, sql: SQL(raw: try row.get(1, as: String.self)), triggers: own)
        }
        return SchemaDefinition(tables: tables, views: views)
    }
}
