import Squall

/// A table or a view, as `PRAGMA table_list` reports it.
struct TableListing {
    enum Kind: String {
        case table, view, virtual
        /// A table in which a virtual table stores its content.
        case shadow
    }

    let name: String
    let kind: Kind
    let columnCount: Int
    let isWithoutRowID: Bool
    let isStrict: Bool

    /// The options as they are written after the columns: `STRICT, WITHOUT ROWID`.
    var options: String {
        [isStrict ? "STRICT" : nil, isWithoutRowID ? "WITHOUT ROWID" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension Connection {
    /// Returns the tables and views in the order of their names, without SQLite's internal tables.
    func tableListings() throws -> [TableListing] {
        let rows: [TableListing?] = try query(
            """
            SELECT name, type, ncol, wr, strict FROM pragma_table_list
            WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name COLLATE NOCASE, name
            """
        ) { row in
            guard let kind = TableListing.Kind(rawValue: try row.get(1)) else { return nil }
            return TableListing(
                name: try row.get(0), kind: kind, columnCount: try row.get(2), isWithoutRowID: try row.get(3),
                isStrict: try row.get(4)
            )
        }
        return rows.compactMap(\.self)
    }

    /// Returns the table or view with the name.
    ///
    /// - Throws: ``SQLiteError`` if there is none.
    func tableListing(named name: String) throws -> TableListing {
        guard let listing = try tableListings().first(where: { $0.name.isSameName(as: name) }) else {
            throw SQLiteError(
                code: ResultCode.error.rawValue, message: "no such table: \(name)", hint: "'squall tables' lists them")
        }
        return listing
    }
}
