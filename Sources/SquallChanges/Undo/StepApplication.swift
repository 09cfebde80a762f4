import Squall
import SquallSQLite

/// Undoes or redoes a step on a connection, in a transaction.
///
/// The step has all that its triggers and foreign keys have changed. Therefore neither run again, except the triggers that keep search
/// tables and R*Trees in step. The changes are entries of the log of the database, if it has a ``SyncLog``. Foreign keys are off, whose
/// actions SQLite would run too, and those of the changed rows are checked afterwards.
final class StepApplication {
    private let connection: Connection
    private let step: UndoStep
    private let changes: Changeset
    private let statements: RowStatements
    /// The tables of `main`.
    private let tables: [Identifier: RecordedTable]
    private var conflicts: [Changeset.Conflict] = []
    private var parked: [ParkedRow] = []

    /// A row that a constraint does not allow before others are changed: two rows that exchange the values of a UNIQUE column.
    private struct ParkedRow {
        let change: Changeset.Change
        /// The row before the change; `nil` for an insert.
        let old: ChangedValues?
    }

    private init(_ connection: Connection, _ step: UndoStep, _ direction: UndoDirection) throws {
        self.connection = connection
        self.step = step
        var changes = direction == .undo ? try step.changes.inverted() : step.changes
        changes.columnNames = step.columnNames
        self.changes = changes
        statements = RowStatements(connection)
        tables = try connection.recordedTablesByName(in: "main")
    }

    /// Undoes or redoes a step: `BEGIN IMMEDIATE TRANSACTION`, the changes, `COMMIT TRANSACTION`.
    ///
    /// - Parameter willCommit: Called before the commit.
    static func run(
        _ step: UndoStep, _ direction: UndoDirection, on connection: Connection, willCommit: () -> Void
    ) throws {
        guard let handle = connection.handle else { throw connection.closedError() }
        let enforcesForeignKeys = connection.pragmaValue("foreign_keys", on: handle) == 1
        // SQLite ignores the PRAGMA inside a transaction.
        if enforcesForeignKeys { connection.runInternally("PRAGMA foreign_keys = OFF", on: handle) }
        defer {
            if enforcesForeignKeys, let handle = connection.handle {
                connection.runInternally("PRAGMA foreign_keys = ON", on: handle)
            }
        }
        try connection.transaction(transactionType: .immediate) {
            let application = try StepApplication(connection, step, direction)
            let tables = try application.changedTables()
            try SyncLog.recordingStored(on: connection, changesOf: tables) {
                try connection.withoutProgramTriggers(of: tables) {
                    try application.run(checksForeignKeys: enforcesForeignKeys)
                }
            }
            willCommit()
        }
    }

    private func run(checksForeignKeys: Bool) throws {
        try checkColumns()
        let inexactConflicts = try inexactConflicts()
        try connection.applyWithoutTriggers(changes, to: tables) { [self] conflict in
            let isParked = try conflict.kind == .constraint && park(conflict)
            if !isParked { conflicts.append(conflict) }
            return .omit
        }
        let found = Set(conflicts.map(\.change))
        conflicts += inexactConflicts.filter { !found.contains($0.change) }
        if !parked.isEmpty {
            try insertParkedRows()
            if conflicts.isEmpty {
                try WrittenRows(connection, tables: tables, nil).check(changes)
            }
        }
        if conflicts.isEmpty, checksForeignKeys { try checkForeignKeys() }
        if !conflicts.isEmpty { throw UndoConflictError(name: step.name, conflicts: conflicts) }
    }

    private func changedTables() throws -> Set<Identifier> {
        var tables: Set<Identifier> = []
        try changes.data.forEachTable { tables.insert(Identifier($0.table)) }
        return tables
    }

    /// Throws if a table of the step has other columns than when it was recorded.
    private func checkColumns() throws {
        try changes.data.forEachTable { header in
            let table = Identifier(header.table)
            guard let names = tables[table]?.columns, names == step.columnNames[table] else {
                throw SQLiteError(UndoProblem.altered, of: .table(header.table))
            }
        }
    }

    private func columnNames(of table: String) -> [String] { step.columnNames[Identifier(table)] ?? [] }

    /// Returns the row of a change; `nil` if it does not exist.
    private func row(of change: Changeset.Change) throws -> ChangedValues? {
        let names = columnNames(of: change.table)
        let condition = change.keyCondition(names, of: change.table)
        let sql = "SELECT \(names: names) FROM main.\(name: change.table) WHERE \(condition)" as SQL
        return try statements.run(sql.text, change.key) { row in
            try ChangedValues(count: names.count, names: names) { sqlite3_column_value(row, Int32($0)) }
        }
    }

    /// Returns the conflicts of rows in which others have replaced a value by one that is equal for SQLite, and has other bytes. SQLite
    /// applies changes to such rows.
    private func inexactConflicts() throws -> [Changeset.Conflict] {
        var columns: [Identifier: (texts: [Int], numbers: [Int])] = [:]
        for table in try changedTables() { columns[table] = try tables[table].map(connection.inexactColumns) }
        if columns.values.allSatisfy({ $0.texts.isEmpty && $0.numbers.isEmpty }) { return [] }
        var found: [Changeset.Conflict] = []
        try changes.forEach { change in
            guard change.operation != .insert, let columns = columns[Identifier(change.table)] else { return }
            let inexact = (0..<change.old.count).filter { position in
                switch change.old[position] {
                case .text, .malformedText: columns.texts.contains(position)
                case .integer, .real: columns.numbers.contains(position)
                case .null, .blob, nil: false
                }
            }
            guard !inexact.isEmpty, let row = try row(of: change),
                inexact.contains(where: { ValueWriter.bytes(of: change.old[$0]) != ValueWriter.bytes(of: row[$0]) })
            else { return }
            found.append(Changeset.Conflict(kind: .data, change: change, row: row))
        }
        return found
    }

    // MARK: - Rows that exchange values

    /// Takes the row of a change out of its table, until all other changes are made.
    ///
    /// - Returns: Whether this helps: not for a delete.
    private func park(_ conflict: Changeset.Conflict) throws -> Bool {
        guard let change = conflict.change else { return false }
        switch change.operation {
        case .insert: parked.append(ParkedRow(change: change, old: nil))
        case .delete: return false
        case .update:
            guard let old = try row(of: change) else { return false }
            let condition = change.keyCondition(columnNames(of: change.table), of: change.table)
            try statements.run("DELETE FROM main.\(name: change.table) WHERE \(condition)", change.key)
            parked.append(ParkedRow(change: change, old: old))
        }
        return true
    }

    private func insertParkedRows() throws {
        for row in parked {
            let change = row.change
            let names = columnNames(of: change.table)
            let values = names.indices.map { change.new.value(at: $0) ?? row.old?.value(at: $0) }
            let sql: SQL = """
                INSERT\(try connection.orAbort(change.table)) INTO main.\(name: change.table)(\(names: names))
                VALUES(\(SQL.parameters(names.count)))
                """
            do {
                try statements.run(sql, values)
            } catch let error as SQLiteError where error.code == SQLITE_CONSTRAINT {
                conflicts.append(Changeset.Conflict(kind: .constraint, change: change, row: nil))
            }
        }
    }

    private func checkForeignKeys() throws {
        let check = try ForeignKeyCheck(connection, statements, connection.foreignKeys())
        try changes.forEach { change in
            if try check.isViolated(by: change, columnNames(of: change.table)) {
                conflicts.append(Changeset.Conflict(kind: .foreignKey, change: change, row: nil))
            }
        }
    }
}

extension RowStatements {
    /// Runs SQL that has its parameters as text.
    fileprivate func run(_ sql: SQL, _ values: [OpaquePointer?]) throws { try run(sql.text, values) }
}
