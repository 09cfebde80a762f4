import Squall

/// A column of a table or a view, as `PRAGMA table_xinfo` reports it.
struct ColumnListing {
    let name: String
    let type: String
    let isNotNull: Bool
    let defaultValue: String?
    /// The position in the primary key, from 1; 0 for other columns.
    let keyPosition: Int
    /// Whether it is a parameter of a virtual table.
    let isHidden: Bool
    let isGenerated: Bool
}

extension Connection {
    /// Returns the columns of a table or a view; none if it does not exist.
    ///
    /// - Parameter schema: The database; `nil` for the one in which SQL finds the name.
    func columnListings(of table: String, in schema: String? = "main") throws -> [ColumnListing] {
        let database: SQL = schema.map { ", \($0)" } ?? ""
        return try query(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(\(table)\(database))"
        ) { row in
            let hidden: Int = try row.get(5)
            return ColumnListing(
                name: try row.get(0), type: try row.get(1), isNotNull: try row.get(2), defaultValue: try row.get(3),
                keyPosition: try row.get(4), isHidden: hidden == 1, isGenerated: hidden > 1)
        }
    }
}
