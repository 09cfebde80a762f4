import Squall

/// A foreign key, as `PRAGMA foreign_key_list` reports it.
struct ForeignKey {
    let table: String
    /// The number of the key in its table.
    let number: Int
    private(set) var columns: [String] = []
    /// The table that the key refers to, which may not exist.
    let parent: String
    /// The columns that the key refers to; empty for the primary key of the parent.
    private(set) var parentColumns: [String] = []
    let onUpdate: String
    let onDelete: String
}

extension Connection {
    /// Returns the foreign keys of a table in their order.
    func foreignKeys(of table: String) throws -> [ForeignKey] {
        var keys: [ForeignKey] = []
        try forEach(
            """
            SELECT id, "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(\(table), 'main')
            ORDER BY id DESC, seq
            """
        ) { row in
            let number: Int = try row.get(0)
            if keys.last?.number != number {
                keys.append(
                    ForeignKey(
                        table: table, number: number, parent: try row.get(1), onUpdate: try row.get(4),
                        onDelete: try row.get(5)
                    )
                )
            }
            keys[keys.count - 1].append(try row.get(2), try row.get(3))
        }
        return keys
    }
}

extension ForeignKey {
    fileprivate mutating func append(_ column: String, _ parentColumn: String?) {
        columns.append(column)
        if let parentColumn { parentColumns.append(parentColumn) }
    }

    /// `(artist, album)`, or the name alone of a single column.
    static func list(_ columns: [String]) -> String {
        let names = columns.map(\.sqlName).joined(separator: ", ")
        return columns.count == 1 ? names : "(\(names))"
    }

    /// The table and columns that the key refers to: `albums(artist, title)`.
    var target: String {
        let names = parentColumns.map(\.sqlName).joined(separator: ", ")
        return parent.sqlName + (parentColumns.isEmpty ? "" : "(\(names))")
    }

    /// The actions as they are written in SQL, without those that are the default: `ON DELETE CASCADE`.
    var actions: String {
        [("ON DELETE", onDelete), ("ON UPDATE", onUpdate)].filter { $0.1 != "NO ACTION" }.map { "\($0) \($1)" }
            .joined(separator: " ")
    }
}
