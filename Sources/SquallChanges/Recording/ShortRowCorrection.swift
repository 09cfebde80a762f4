#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// The changes of rows that had fewer columns than their tables: of each, the row as SQLite read it before, and the one that is there now.
struct ShortRowCorrection {
    private struct Change {
        let table: RecordedTable
        var old: [BindingValue]
        let new: [BindingValue]?
        var isIndirect: Bool
        /// The number of columns that the row had.
        let count: Int

        /// Takes over the columns that the row had as the session has seen them first: it may have been changed before columns were added.
        mutating func takeOver(_ values: ChangedValues) {
            for column in 0..<count { old[column] = values[column] ?? new?[column] ?? old[column] }
        }
    }

    private let tables: [Identifier: RecordedTable]
    private var changes: [Change] = []
    /// The positions of the changes of rows.
    private var positions: [Identifier: [RowKey: Int]] = [:]

    init(_ rows: ShortRows, on connection: Connection, in database: String) throws {
        tables = try connection.recordedTablesByName(in: database)
        for row in rows.rows {
            let name = Identifier(row.table)
            guard let table = tables[name], table.problem == nil,
                let old = try connection.wholeRow(row, in: database)
            else { continue }
            let key = RowKey(old, table.isKey)
            // A row that was changed and rolled back is noted again.
            guard !key.hasNull, positions[name]?[key] == nil else { continue }
            positions[name, default: [:]][key] = changes.count
            let new = try connection.presentRow(of: key, in: table, of: database)
            changes.append(
                Change(table: table, old: old, new: new, isIndirect: row.isIndirect, count: row.values.count))
        }
    }

    /// Returns a changeset or a patchset, from a changeset of the session, in which these rows have their right changes.
    func corrected(_ recorded: Changeset, asPatchset: Bool) throws -> Data {
        var (changes, writer) = (changes, ChangesetWriter(isPatchset: asPatchset))
        var recordedOperations: [Int: Connection.UpdateHookType] = [:]
        try recorded.forEach { change in
            guard let table = tables[Identifier(change.table)] else {
                throw SQLiteError(RecordingProblem.altered, of: .table(change.table))
            }
            if let position = positions[Identifier(change.table)]?[change.rowKey] {
                recordedOperations[position] = change.operation
                if change.operation != .insert {
                    changes[position].isIndirect = change.isIndirect
                    changes[position].takeOver(change.old)
                    return
                }
            }
            var (old, new) = (change.old.bindingValues, change.new.bindingValues)
            if change.operation == .update {
                for column in new.indices where table.isMisreported(column, old, new) {
                    (old[column], new[column]) = (nil, nil)
                }
                if new.allSatisfy({ $0 == nil }) { return }
            }
            writer.write(change.operation, of: table, isIndirect: change.isIndirect, old: old, new: new)
        }
        for (position, change) in changes.enumerated() {
            let operation = recordedOperations[position]
            // A row that was inserted while it was recorded, before columns were added: the session has it rightly, also if it is gone.
            if operation == .insert || operation == nil && change.new == nil { continue }
            guard let new = change.new else {
                writer.write(.delete, of: change.table, isIndirect: change.isIndirect, old: change.old, new: [])
                continue
            }
            writer.writeUpdate(of: change.table, isIndirect: change.isIndirect, old: change.old, new: new)
        }
        return writer.data
    }
}

extension RecordedTable {
    /// Whether a column was not changed: SQLite has reported the default of a REAL column as an integer before.
    fileprivate func isMisreported(_ column: Int, _ old: [BindingValue?], _ new: [BindingValue?]) -> Bool {
        guard case .integer(let before)? = old[column], case .real(let after)? = new[column] else { return false }
        return Double(before) == after && Affinity(types[column]) == .real
    }
}

extension Changeset {
    /// Whether an update has made a REAL of an equal integer, as it seems to do where SQLite has reported a default.
    var mayBeMisreported: Bool {
        get throws {
            try withIterator { iterator in
                while try iterator.next() { if try iterator.makesRealOfInteger { return true } }
                return false
            }
        }
    }
}

extension Connection {
    /// Returns a row with the defaults of the columns that it did not have; `nil` if they are all NULL, as sessions record them.
    fileprivate func wholeRow(_ row: ShortRows.Row, in database: String) throws -> [BindingValue]? {
        guard let handle else { throw closedError() }
        let count = row.values.count
        let added = try AddedColumns.defaults(of: row.table, in: database, after: count, on: self, handle) ?? []
        return added.allSatisfy { $0 == .null } ? nil : row.values + added
    }

    /// Returns the row of a key as it is now.
    fileprivate func presentRow(of key: RowKey, in table: RecordedTable, of database: String) throws -> [BindingValue]?
    {
        let columns = zip(table.columns, table.isKey).filter(\.1).map(\.0)
        let values = key.values.map { "\($0)" as SQL }.joined(separator: ", ")
        let sql: SQL = """
            SELECT \(names: table.columns) FROM \(name: database).\(name: table.name) WHERE (\(names: columns)) = (\(values))
            """
        var found: [BindingValue]?
        try forEachRowInternally(sql) { row in found = table.columns.indices.map { row.value(Int32($0)) } }
        return found
    }
}

/// Rows that had fewer columns than their tables when they were changed, which sessions record with NULL instead of the defaults of the
/// columns. See `AddedColumns`.
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
