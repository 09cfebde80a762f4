import Squall

/// The indexes of a schema, without those that SQLite made for constraints.
struct SchemaIndexes {
    /// The indexes that no step has used so far, by their tables.
    private(set) var unused: [UnusedIndex]

    init(of connection: Connection) throws {
        unused = try connection.query(
            """
            SELECT i.name, m.name, i."unique" FROM main.sqlite_master AS m JOIN pragma_index_list(m.name, 'main') AS i
            WHERE m.type = 'table' AND i.origin = 'c' ORDER BY m.name, i.name
            """
        ) { row in
            UnusedIndex(name: try row.get(0), table: try row.get(1), isUnique: try row.get(2))
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
