extension SQLiteError {
    /// The reason why changes cannot be recorded.
    public enum RecordingProblem: Hashable, Sendable {
        /// Thrown for a name that no table has.
        case unknownTable
        /// Thrown for a view or a virtual table.
        case notATable
        /// Thrown for a table without a declared primary key, by which SQLite tells rows apart.
        case noPrimaryKey
        /// Thrown for a table with generated columns, which SQLite cannot record.
        case generatedColumns
        /// Thrown for a table with a column of its primary key whose values can be equal and have other bytes, by which SQLite tells
        /// recorded rows apart: a column of the type REAL, `ANY` or none, and one with another collation than BINARY.
        case inexactKey(column: String)
        /// Thrown when a table was altered while its changes were recorded.
        case altered
        /// Thrown when the recorded changes take more memory than the limit, in bytes.
        case memoryLimit(Int)
        /// Thrown when a recorder is used after it was stopped.
        case stopped
    }

    /// The reason why a changeset cannot be read, combined or applied.
    public enum ChangesetProblem: Hashable, Sendable {
        /// Thrown for bytes that are not a changeset.
        case damaged
        /// Thrown when a table has other columns or another primary key in two changesets.
        case differentTables
        /// Thrown when a patchset is inverted.
        case patchsetInverted
        /// Thrown when a changeset is combined with a patchset.
        case mixedKinds
        /// Thrown when changes are applied to a database that lacks a table.
        case missingTable(String)
        /// Thrown when a table has fewer columns than its changes.
        case missingColumns(table: String, expected: Int, found: Int)
        /// Thrown when a table has another primary key than its changes.
        case otherPrimaryKey(table: String)
        /// Thrown when `replace` is the answer to a conflict that has no row to replace.
        case invalidReplace
        /// Thrown when the answer to a conflict is `abort`. The table is `nil` for foreign keys, which are checked at the end of all changes.
        ///
        /// - Parameter conflict: The kind of the conflict, as `Changeset.Conflict.Kind` names it.
        case aborted(table: String?, conflict: String)
        /// Thrown when foreign keys are violated in the transaction before changes are applied: SQLite would forget it.
        case pendingForeignKeys
        /// Thrown when the triggers of the program are off, and a trigger that keeps a search table or an R*Tree in step cannot run
        /// alone: it writes to other tables or views too, or a TEMP table or view has a name that it uses.
        case inseparableTrigger(String)
        /// Thrown before the commit when a row that was written is not what the changes say. The key is SQL, with a comma between values.
        /// The column is `nil` if the row is missing, or was to be deleted and is there.
        case differentRow(table: String, key: String, column: String?)
    }

    /// The reason why an undo history cannot be made, or cannot undo or redo a step.
    public enum UndoProblem: Hashable, Sendable {
        /// Thrown for a history that may keep fewer than one step.
        case limit(Int)
        /// Thrown when a history is made, or a step undone or redone, inside a closure of the same database.
        case insideClosure
        /// Thrown when a group begins inside a write that is older than its history, whose changes are not recorded.
        case insideEarlierWrite
        /// Thrown when a table of a step has other columns than when the step was recorded, or does not exist any more.
        case altered(table: String)
    }
}

extension SQLiteError.UndoProblem {
    var message: String {
        switch self {
        case .limit(let limit): "an undo history keeps at least one step, not \(limit)"
        case .insideClosure: "an undo history cannot begin, undo or redo inside a closure of its database"
        case .insideEarlierWrite: "the write began before the undo history, which does not record its changes"
        case .altered(let table): "\(table) was altered or dropped after the step was recorded"
        }
    }
}

extension SQLiteError.RecordingProblem {
    func message(of table: String?) -> String {
        let name = table ?? "a table"
        return switch self {
        case .unknownTable: "no such table: \(name)"
        case .notATable: "changes of \(name) cannot be recorded: it is a view or a virtual table"
        case .noPrimaryKey: "changes of \(name) cannot be recorded: it has no declared PRIMARY KEY"
        case .generatedColumns:
            "changes of \(name) cannot be recorded: it has generated columns"
        case .inexactKey(let column):
            """
            changes of \(name) cannot be recorded: values of its primary key, \(column), can be equal and have other bytes; declare it \
            INTEGER, TEXT or BLOB, with the collation BINARY
            """
        case .altered: "\(name) was altered while its changes were recorded"
        case .memoryLimit(let limit): "the recorded changes take more than \(limit) bytes of memory"
        case .stopped: "the recorder was stopped"
        }
    }
}

extension SQLiteError.ChangesetProblem {
    var message: String {
        switch self {
        case .damaged: "the bytes are not those of a changeset"
        case .differentTables: "a table has other columns or another primary key in the other changeset"
        case .patchsetInverted: "a patchset cannot be inverted: it does not have the old values"
        case .mixedKinds: "a changeset cannot be combined with a patchset"
        case .missingTable(let name): "the changes are of a table that does not exist here: \(name)"
        case .missingColumns(let table, let expected, let found):
            "the changes of \(table) have \(expected) columns, and the table has \(found)"
        case .otherPrimaryKey(let table): "the primary key of \(table) is another one than that of its changes"
        case .invalidReplace: "a change that conflicts with nothing that can be replaced cannot replace it"
        case .aborted(let table, let conflict):
            table.map { "a conflict (\(conflict)) in \($0) has ended the changes" }
                ?? "a conflict has ended the changes: foreign keys would be violated"
        case .pendingForeignKeys:
            "foreign keys are violated in this transaction: write the missing parents before changes are applied"
        case .inseparableTrigger(let name):
            """
            the trigger \(name) cannot run alone to keep an index in step: it writes to other tables or views too, or a TEMP table or view has \
            a name that it uses; split the trigger, or rename that table
            """
        case .differentRow(let table, let key, let column):
            """
            the row \(key) of \(table) is not stored as it was to be\(column.map { ": its \($0) is another value" } ?? "")
            """
        }
    }
}
