import SquallSQLite

/// A table as the pre-update hook sees it.
struct StoredTable {
    /// The name, as it was created.
    var name: String
    /// The columns that are stored, in their order.
    var columns: [Identifier] = []
    var primaryKey: [String] = []

    /// Returns the positions of columns for the pre-update hook; `nil` if one is not stored.
    func positions(_ names: [String]) -> [Int32]? {
        let found = names.compactMap { columns.firstIndex(of: Identifier($0)).map(Int32.init) }
        return found.count == names.count ? found : nil
    }
}

extension RowChange {
    /// Returns values of the row before the change, which has one.
    func oldValues(at positions: [Int32]) -> [BindingValue] { values(at: positions, squall_preupdate_old) }

    private func values(
        at positions: [Int32], _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [BindingValue] {
        positions.map { position in
            var value: OpaquePointer?
            guard read(handle, position, &value) == SQLITE_OK, let value else { return .null }
            return SQLiteValue(value).bindingValue
        }
    }
}

extension Connection {
    func storedTable(_ name: String) throws -> StoredTable {
        var table = StoredTable(name: name)
        // 2 is a generated column that is not stored.
        let sql: SQL = """
            SELECT t.name, x.name, x.pk FROM pragma_table_list(\(name)) AS t, pragma_table_xinfo(t.name, 'main') AS x
            WHERE t.schema = 'main' AND hidden != 2 ORDER BY x.cid
            """
        try forEachRowInternally(sql) { row in
            func text(_ column: Int32) -> String { sqlite3_column_text(row, column).map { String(cString: $0) } ?? "" }
            table.name = text(0)
            table.columns.append(Identifier(text(1)))
            if sqlite3_column_int(row, 2) != 0 { table.primaryKey.append(text(1)) }
        }
        return table
    }
}
