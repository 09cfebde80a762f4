import SQiftCompatibility

/// The calls of SQift, on the table `items`.
public enum SQiftFace {
    /// Inserts a row in a transaction. A column without a value is NULL.
    public static func insert(_ values: [String: (any Bindable)?], into database: Database) throws {
        try database.executeWrite { connection in
            try connection.transaction {
                try connection.run(
                    """
                    INSERT INTO items(id, part, name, price, note, owner, stars, code, data)
                    VALUES(:id, :part, :name, :price, :note, :owner, :stars, :code, :data)
                    """, values)
            }
        }
    }

    /// Gives the rows of a part a note.
    ///
    /// - Returns: The number of rows of which the update hook was told.
    public static func mark(_ note: String, part: Int64, in database: Database) throws -> Int {
        try database.executeWrite { connection in
            let counter = Counter()
            connection.updateHook { type, _, table, _ in
                if type == .update, table == "items" { counter.count += 1 }
            }
            defer { connection.updateHook(nil) }
            let statement = try connection.prepare("UPDATE items SET note = ? WHERE part = ?")
            try statement.bind(note, part).run()
            return counter.count
        }
    }

    /// Returns the names of all rows.
    public static func names(in database: Database) throws -> [String] {
        try database.executeRead { try $0.query("SELECT name FROM items") }
    }
}

/// Sendable, because the hook is called on the thread that reads the count.
private final class Counter: @unchecked Sendable {
    var count = 0
}
