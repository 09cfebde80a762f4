import SquallSQLite

/// The rows that constraints with the clause `ON CONFLICT REPLACE` delete while SQLite applies changes, without a conflict.
final class ReplacedRows: RowChangeReceiver {
    struct Row: Hashable {
        let table: Identifier
        let key: [BindingValue]
    }

    private let tables: [String: (name: Identifier, primaryKey: [Int32])]
    private var tableName = CachedName()
    private var rows: Set<Row> = []
    /// Whether the statements of the program are running.
    var isPaused = false

    /// Returns `nil` if no table of `main` has such a clause.
    init?(_ connection: Connection) throws {
        var names: [String] = []
        // Also where the word is a part of something else.
        try connection.forEachRowInternally(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql LIKE '%CONFLICT%'"
        ) { row in
            if let name = sqlite3_column_text(row, 0) { names.append(String(cString: name)) }
        }
        var tables: [String: (name: Identifier, primaryKey: [Int32])] = [:]
        for name in names where try connection.hasConflictClause(name) {
            let table = try connection.storedTable(name)
            if let key = table.positions(table.primaryKey) { tables[name] = (Identifier(name), key) }
        }
        if tables.isEmpty { return nil }
        self.tables = tables
    }

    /// A row that is not there, though the changes do not delete it.
    var first: Row? { rows.first }

    /// Whether a row that is to be deleted was replaced. It counts as deleted then.
    func takeReplaced(_ row: Row) -> Bool { rows.remove(row) != nil }

    func rowWillChange(_ change: RowChange) {
        guard !isPaused, change.type == SQLITE_DELETE, squall_preupdate_depth(change.handle) == 0,
            strcmp(change.database, "main") == 0, let table = tableName.string(change.table).flatMap({ tables[$0] })
        else { return }
        if isDeleting(on: change.handle) || squall_preupdate_blobwrite(change.handle) >= 0 { return }
        rows.insert(Row(table: table.name, key: change.oldValues(at: table.primaryKey)))
    }

    /// Whether a statement of SQLite deletes the row of a change.
    private func isDeleting(on handle: OpaquePointer) -> Bool {
        var statement = sqlite3_next_stmt(handle, nil)
        while let current = statement {
            if sqlite3_stmt_busy(current) != 0, let sql = sqlite3_sql(current),
                strncmp(sql, "DELETE FROM main.", 17) == 0
            {
                return true
            }
            statement = sqlite3_next_stmt(handle, current)
        }
        return false
    }
}
