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
