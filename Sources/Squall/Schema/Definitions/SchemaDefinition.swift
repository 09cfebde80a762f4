/// The tables and views of a file. Two definitions are equal if their SQL is equal, character by character.
///
///     let before = try connection.schemaDefinition()
///     try JSONEncoder().encode(before)
public struct SchemaDefinition: Hashable, Codable, Sendable {
    /// The tables in order of their names, with their indexes and triggers.
    public var tables: [TableDefinition]
    public var views: [ViewDefinition]

    public init(tables: [TableDefinition] = [], views: [ViewDefinition] = []) {
        self.tables = tables
        self.views = views
    }
}

extension TableDefinition {
    /// Returns one message for each foreign key to a table outside the given set.
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
    /// One message for each foreign key to a table that does not exist. `PRAGMA foreign_key_check` reports them only if
    /// there are rows.
    var danglingReferences: [String] {
        let names = Set(tables.map { Identifier($0.name) })
        return tables.flatMap { $0.references(outside: names) }
    }
}

/// A view.
public struct ViewDefinition: Hashable, Codable, Sendable {
    public var name: String
    /// `CREATE VIEW …`
    public var sql: SQL
    public var triggers: [TriggerDefinition]

    public init(name: String, sql: SQL, triggers: [TriggerDefinition] = []) {
        self.name = name
        self.sql = sql
        self.triggers = triggers
    }
}

/// A trigger of a table or a view.
public struct TriggerDefinition: Hashable, Codable, Sendable {
    public var name: String
    /// The table or view whose changes fire the trigger.
    public var table: String
    /// `CREATE TRIGGER …`
    public var sql: SQL

    public init(name: String, table: String, sql: SQL) {
        self.name = name
        self.table = table
        self.sql = sql
    }
}
