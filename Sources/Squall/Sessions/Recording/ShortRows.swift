import SquallSQLite

/// Rows that had fewer columns than their tables when they were changed, which sessions record with NULL instead of the defaults of the
/// columns. See ``AddedColumns``.
struct ShortRows {
    struct Row {
        let table: String
        /// The values of the columns that it had.
        let values: [BindingValue]
        let isIndirect: Bool
    }

    private(set) var rows: [Row] = []
    /// The bytes of memory that they use, about.
    private(set) var size = 0

    var isEmpty: Bool { rows.isEmpty }

    /// Notes a row inside the pre-update hook.
    mutating func note(_ table: String, _ count: Int, isIndirect: Bool, on handle: OpaquePointer) {
        let values = (0..<Int32(count)).map { column -> BindingValue in
            var value: OpaquePointer?
            guard squall_preupdate_old(handle, column, &value) == SQLITE_OK, let value else { return .null }
            size += Int(sqlite3_value_bytes(value))
            return SQLiteValue(value).bindingValue
        }
        size += MemoryLayout<Row>.stride + count * MemoryLayout<BindingValue>.stride
        rows.append(
            Row(table: table, values: values, isIndirect: isIndirect || squall_preupdate_depth(handle) > 0))
    }
}
