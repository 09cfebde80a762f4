import Squall
import SquallSQLite

/// Why a row cannot be stored: a constraint, or the type of a column.
struct BlockedRow: Error {
    let error: SQLiteError

    init(error: SQLiteError) { self.error = error }

    /// A change that the hub refuses.
    init(refused reason: String) { error = SQLiteError(code: SQLITE_CONSTRAINT, message: reason) }

    var isUnique: Bool {
        // SQLITE_CONSTRAINT_ROWID
        [.constraintUnique, .constraintPrimaryKey, ResultCode(rawValue: SQLITE_CONSTRAINT | 10 << 8)]
            .contains(error.extendedResultCode)
    }

    var kind: Changeset.Conflict.Kind {
        error.extendedResultCode == .constraintForeignKey ? .foreignKey : .constraint
    }
}

/// A row that a merge writes.
struct RowWrite {
    let table: SyncTable
    let key: RowKey
    /// The position among the rows of the merge.
    let index: Int
    /// Whether the row is to be deleted.
    let isDeletion: Bool
    /// Whether triggers of the program may store another row.
    let mayDiffer: Bool
    /// Returns the row to write, from the present row; `nil` inside to delete it. Returns `nil` to leave the present row.
    let target: (_ current: [BindingValue]?) throws -> [BindingValue]??
    /// Called after the row was written, or left, with the rows before and after.
    let completed: (_ before: [BindingValue]?, _ after: [BindingValue]?) throws -> Void
}

extension Connection {
    /// Writes rows in an order in which constraints allow it: rows that cannot be written are tried again after the others, and
    /// rows that only exchange their unique values, or refer to one another, are written together. Rows are deleted last: until
    /// then other changes may have removed what refers to them, which actions of foreign keys would delete with them.
    ///
    /// - Parameter isStrict: Whether a row that violates a deferred foreign key is not written.
    /// - Returns: The rows that cannot be written.
    func write(_ writes: [RowWrite], isStrict: Bool) throws -> [(write: RowWrite, reason: BlockedRow)] {
        let blocked = try settle(writes.filter { !$0.isDeletion }, isStrict)
        return try settle(blocked.map(\.write) + writes.filter(\.isDeletion), isStrict)
    }

    private func settle(_ writes: [RowWrite], _ isStrict: Bool) throws -> [(write: RowWrite, reason: BlockedRow)] {
        var blocked: [(write: RowWrite, reason: BlockedRow)] = []
        var rest = writes
        while !rest.isEmpty {
            blocked = []
            for write in rest {
                do { try self.write(write, isStrict: isStrict) } catch let reason as BlockedRow {
                    blocked.append((write, reason))
                }
            }
            if blocked.count == rest.count {
                let (unique, others) = (blocked.filter(\.reason.isUnique), blocked.filter { !$0.reason.isUnique })
                let foreign = others.filter { $0.reason.kind == .foreignKey }
                if try exchange(unique.map(\.write)) {
                    blocked = others
                } else if try writeTogether(foreign.map(\.write)) {
                    blocked.removeAll { $0.reason.kind == .foreignKey }
                } else {
                    return blocked
                }
            }
            rest = blocked.map(\.write)
        }
        return []
    }

    private func write(_ write: RowWrite, isStrict: Bool) throws {
        let current = try write.table.row(write.key, in: self)
        guard let target = try write.target(current) else { return try write.completed(current, current) }
        if target == current { return try write.completed(current, current) }
        guard isStrict else {
            return try write.completed(current, store(target, over: current, write))
        }
        var stored: [BindingValue]?
        let isStored = try undoable {
            stored = try store(target, over: current, write)
            return !hasViolatedForeignKeys
        }
        if !isStored {
            throw BlockedRow(
                error: SQLiteError(
                    code: ResultCode.constraintForeignKey.rawValue, message: "FOREIGN KEY constraint failed"))
        }
        try write.completed(current, stored)
    }

    /// - Returns: The row as the table has it.
    private func store(
        _ target: [BindingValue]?, over current: [BindingValue]?, _ write: RowWrite
    ) throws -> [BindingValue]? {
        let table = write.table
        do {
            switch (current, target) {
            case (_, nil): try table.delete(write.key, in: self)
            case (nil, let row?): try table.insert(row, in: self)
            case (_, let row?):
                guard let current, table.key(of: current) == write.key else { throw mismatch(table) }
                try table.update(write.key, to: row, in: self)
            }
        } catch let error as SQLiteError where [.constraint, .mismatch].contains(error.resultCode) {
            throw BlockedRow(error: error)
        }
        // A trigger can ignore a change. A column can store the key as another type.
        let stored = try table.row(write.key, in: self)
        if (stored == nil) != (target == nil) { throw mismatch(table) }
        if current == nil, let stored, table.key(of: stored) != write.key {
            try table.delete(write.key, in: self)
            throw mismatch(table)
        }
        if !write.mayDiffer, let target, let stored,
            let column = stored.indices.first(where: { !stored[$0].isStored(target[$0]) })
        {
            throw SQLiteError.differentRow(of: table.name, key: write.key.values, column: table.columns[column])
        }
        return stored
    }

    private func mismatch(_ table: SyncTable) -> BlockedRow {
        BlockedRow(error: SQLiteError(code: SQLITE_MISMATCH, message: "\(table.name) does not store the row as it is"))
    }

    /// Deletes rows that block one another by unique values, and inserts them again. Does nothing if that does not help.
    private func exchange(_ writes: [RowWrite]) throws -> Bool {
        if writes.isEmpty { return false }
        let hasActions: Bool = try query("PRAGMA foreign_keys")
        var rows: [(before: [BindingValue]?, after: [BindingValue]?)] = []
        let isDone = try undoable {
            do {
                // The targets are decided before an action of a foreign key can change another of the rows.
                for write in writes {
                    let current = try write.table.row(write.key, in: self)
                    rows.append((current, try write.target(current) ?? current))
                }
                let total = totalChanges
                for (write, row) in zip(writes, rows) where row.before != nil {
                    try write.table.delete(write.key, in: self)
                }
                // An action of a foreign key has changed another row.
                if hasActions, totalChanges - total != rows.count(where: { $0.before != nil }) { return false }
                for (index, write) in writes.enumerated() where rows[index].after != nil {
                    rows[index].after = try store(rows[index].after, over: nil, write)
                }
                return !hasViolatedForeignKeys
            } catch let error as SQLiteError where error.resultCode == .constraint {
                return false
            } catch is BlockedRow {
                return false
            }
        }
        guard isDone else { return false }
        for (write, row) in zip(writes, rows) { try write.completed(row.before, row.after) }
        return true
    }

    /// Writes rows that refer to one another, whose foreign keys are checked afterwards. Does nothing if that does not help.
    private func writeTogether(_ writes: [RowWrite]) throws -> Bool {
        guard !writes.isEmpty, let handle, !hasViolatedForeignKeys,
            pragmaValue("defer_foreign_keys", on: handle) == 0
        else { return false }
        var rows: [(before: [BindingValue]?, after: [BindingValue]?)] = []
        let isDone = try undoable {
            runInternally("PRAGMA defer_foreign_keys = ON", on: handle)
            // Also forgets violations, which are undone.
            defer { runInternally("PRAGMA defer_foreign_keys = OFF", on: handle) }
            do {
                for write in writes {
                    let current = try write.table.row(write.key, in: self)
                    let target = try write.target(current) ?? current
                    rows.append((current, target == current ? current : try store(target, over: current, write)))
                }
                return !hasViolatedForeignKeys
            } catch is BlockedRow {
                return false
            }
        }
        guard isDone else { return false }
        for (write, row) in zip(writes, rows) { try write.completed(row.before, row.after) }
        return true
    }

    /// Runs a closure in a savepoint, and undoes its changes if it returns `false`.
    func undoable(_ body: () throws -> Bool) throws -> Bool {
        struct Undone: Error {}
        do {
            try savepoint(named: "squall_sync") { if try !body() { throw Undone() } }
            return true
        } catch is Undone {
            return false
        }
    }

    /// Whether the transaction could not commit now, because of deferred foreign keys.
    var hasViolatedForeignKeys: Bool {
        guard let handle else { return false }
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    /// Calls a closure while the triggers of the program and foreign keys are off, or as they are.
    func withConstraints<Result>(
        triggers: Bool, foreignKeys: Bool, _ body: () throws -> Result
    ) throws -> Result {
        guard let handle else { throw closedError() }
        let hadForeignKeys = squall_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY) != 0
        // Unlike the PRAGMA, this has an effect inside a transaction.
        if !foreignKeys { squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0) }
        defer {
            // A function that a statement calls may have closed the connection.
            if let handle = self.handle {
                if !foreignKeys, hadForeignKeys { squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1) }
            }
        }
        return triggers ? try body() : try withoutProgramTriggers(body)
    }
}

extension BindingValue {
    /// Whether a column that was to store a value has it: REAL columns store 1 as 1.0, and -0.0 as 0.0.
    fileprivate func isStored(_ value: BindingValue) -> Bool {
        switch (self, value) {
        case (.real(let real), .integer(let integer)), (.integer(let integer), .real(let real)):
            Int64(exactly: real) == integer
        case (.real(let left), .real(let right)): left == right
        default: self == value
        }
    }
}
