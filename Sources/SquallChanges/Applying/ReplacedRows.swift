import Squall
import SquallSQLite

/// The rows that constraints with the clause `ON CONFLICT REPLACE` delete while SQLite applies changes, without a conflict.
final class ReplacedRows: ConnectionFollower {
    let events: FollowedEvents = .rows

    struct Row: Hashable {
        let table: Identifier
        let key: [BindingValue]
    }

    private let tables: [String: (name: Identifier, keyPositions: [Int32])]
    private var tableName = CachedName()
    private var rows: Set<Row> = []
    /// Whether the statements of the program are running.
    var isPaused = false

    /// Returns `nil` if no table of `main` has such a clause.
    init?(_ connection: Connection) throws {
        // The word can also be a part of something else.
        let names = try connection.hiddenCatalog().tables(withWord: "CONFLICT").filter(\.hasConflictClause).map(\.name)
        if names.isEmpty { return nil }
        tables = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, (Identifier($0), try connection.storedKey(of: $0))) })
    }

    /// A row that is not there, though the changes do not delete it.
    var first: Row? { rows.first }

    /// Whether a row that is to be deleted was replaced. It counts as deleted then.
    func takeReplaced(_ row: Row) -> Bool { rows.remove(row) != nil }

    func willChange(_ change: RowChange, on connection: Connection) {
        guard !isPaused, change.type == SQLITE_DELETE, squall_preupdate_depth(change.handle) == 0,
            strcmp(change.database, "main") == 0, let table = tableName.string(change.table).flatMap({ tables[$0] })
        else { return }
        if isDeleting(on: change.handle) || squall_preupdate_blobwrite(change.handle) >= 0 { return }
        rows.insert(Row(table: table.name, key: change.oldValues(at: table.keyPositions)))
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

extension RowChange {
    /// Returns values of the row before the change, which has one.
    fileprivate func oldValues(at positions: [Int32]) -> [BindingValue] {
        positions.map { position in
            var value: OpaquePointer?
            guard squall_preupdate_old(handle, position, &value) == SQLITE_OK, let value else { return .null }
            return SQLiteValue(value).bindingValue
        }
    }
}

extension Connection {
    /// Returns the positions of the primary key of a table of `main` among the columns that are stored, as the pre-update hook counts them.
    fileprivate func storedKey(of table: String) throws -> [Int32] {
        let stored = try hiddenCatalog().columns(ofTable: table).filter { $0.storage != .computed }
        return stored.indices.filter { stored[$0].isInPrimaryKey }.map(Int32.init)
    }
}
