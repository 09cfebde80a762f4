import Squall

extension Connection {
    /// Returns the highest key that a table with AUTOINCREMENT has used; `nil` if it has used none, or is another table.
    func highestKey(of table: String) throws -> Int64? {
        guard try hasInternalTable("sqlite_sequence") else { return nil }
        return try query("SELECT seq FROM main.sqlite_sequence WHERE name = \(table) COLLATE NOCASE")
    }
}

/// The SQL that sets the highest key that a table with AUTOINCREMENT has used. Inserting the rows does not: the row with that key
/// may have been deleted.
struct AutoincrementScript {
    let text: String

    init(_ table: String, _ highestKey: Int64) {
        let name = table.textLiteral
        text = """
            DELETE FROM sqlite_sequence WHERE name = \(name);
            INSERT INTO sqlite_sequence(name, seq) VALUES(\(name), \(highestKey));

            """
    }
}
