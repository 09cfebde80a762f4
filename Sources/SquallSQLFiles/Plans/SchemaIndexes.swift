import Squall

/// The indexes of a schema, without those that SQLite made for constraints.
struct SchemaIndexes {
    /// The indexes that no step has used so far, by their tables.
    private(set) var unused: [UnusedIndex]

    init(of connection: Connection) throws {
        let catalog = connection.catalog()
        unused = try catalog.entries(.table, by: .name).flatMap { table in
            try catalog.indexes(ofTable: table.name).filter { $0.origin == .statement }.sorted { $0.name < $1.name }
                .map { UnusedIndex(name: $0.name, table: table.name, isUnique: $0.isUnique) }
        }
    }

    /// Removes the indexes that steps of a plan use.
    mutating func markUsed(by steps: [String]) {
        unused.removeAll { index in
            // Names are compared by their bytes.
            let use = Array(" INDEX \(index.name) ".utf8)
            return steps.contains { Array("\($0) ".utf8).contains(use) }
        }
    }
}
