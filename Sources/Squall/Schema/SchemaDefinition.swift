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

extension TableDefinition {
    /// The problems of foreign keys to tables that are not among these.
    func references(outside tables: Set<Identifier>) -> [String] {
        let own = columns.flatMap(\.references)
        let others = constraints.compactMap {
            if case .foreignKey(_, let reference) = $0.kind { reference } else { nil }
        }
        return (own + others).filter { !tables.contains(Identifier($0.table)) }.map {
            "\"\(name)\" refers to the table \"\($0.table)\", which does not exist"
        }
    }
}

extension SchemaDefinition {
    /// The problems of foreign keys to tables that do not exist. `PRAGMA foreign_key_check` finds them by rows only.
    var danglingReferences: [String] {
        let names = Set(tables.map { Identifier($0.name) })
        return tables.flatMap { $0.references(outside: names) }
    }
}

extension Connection {
    /// All tables and views of the file, without SQLite's own tables.
    ///
    /// - Throws: ``SQLiteError``.
    public func schemaDefinition(of schema: String = "main") throws -> SchemaDefinition {
        let tables = try tableNames(in: schema).compactMap { try tableInfo($0, in: schema) }
        let isTemporary = schema.isSameName(as: "temp")
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
            let own = triggers.filter { $0.table.isSameName(as: name) }
            return ViewDefinition(name: name, sql: SQL(raw: try row.get(1, as: String.self)), triggers: own)
        }
        return SchemaDefinition(tables: tables, views: views)
    }
}
