#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// The changes to apply.
enum ChangesetInput {
    case bytes(Changeset)
    case stream(ChangesetStream)
}

/// One call of SQLite that applies changes, and compares the rows with them.
final class ChangesetApplication {
    private let connection: Connection
    private let tables: [Identifier: RecordedTable]
    private let columnNames: [Identifier: [String]]
    private let accepts: (String) -> Bool
    private let options: Changeset.ApplyOptions
    private let runsTriggers: Bool
    /// Whether foreign keys are off, and are checked after the changes.
    private var areForeignKeysOff = false
    private let resolve: (Changeset.Conflict) throws -> Changeset.Answer
    /// Whether each table is included, once the closure was called for it.
    private var isIncluded: [Identifier: Bool] = [:]
    /// The tables whose changes were begun.
    private var begunTables: [RecordedTable] = []
    /// The rows whose changes were left out.
    private var omittedRows: Set<ReplacedRows.Row> = []
    private var replacedRows: ReplacedRows?
    /// Whether rows may rightly differ from their changes: the closure has written, or a table occurs twice among the changes.
    private var mayDiffer = false
    private var failure: (any Error)?
    /// The limit of the depth of expressions that the connection has.
    private var depthLimit: Int32 = -1

    /// - Parameters:
    ///   - tables: The tables of `main`.
    ///   - runsTriggers: Whether triggers of the program may run.
    init(
        _ connection: Connection, _ tables: [Identifier: RecordedTable], _ accepts: @escaping (String) -> Bool,
        _ options: Changeset.ApplyOptions, runsTriggers: Bool,
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer
    ) {
        self.connection = connection
        self.runsTriggers = runsTriggers
        self.accepts = accepts
        self.options = options
        self.resolve = resolve
        self.tables = tables
        columnNames = tables.mapValues(\.columns)
    }

    /// Applies the changes, and compares the rows with them, unless triggers of the program run.
    func run(_ input: ChangesetInput) throws -> Resolutions {
        let changes: AppliedChanges
        switch input {
        case .bytes(let bytes): changes = .bytes(bytes, try bytes.data.forEachTable(begin))
        case .stream(let stream):
            changes = .copy(
                try ChangesetCopy(
                    stream, inMemory: connection.configuration.key != nil, begin, didRead: checkTransaction))
        }
        guard let handle = connection.handle else { throw connection.closedError() }
        return try connection.duringStatement {
            let tables = Set(begunTables.map { Identifier($0.name) })
            let runsPrograms = try runsTriggers && connection.runsProgramTriggers(of: tables)
            let foreignKeys = try enforcedForeignKeys(on: handle)
            areForeignKeysOff =
                try !runsPrograms
                && RecordedActions.areAmong(
                    changes, isInverted: isInverted, keys: foreignKeys, tables: tables, columns: columnNames)
            setForeignKeys(on: false)
            defer { setForeignKeys(on: true) }
            let resolutions = try followingReplacedRows { try run(changes, on: handle) }
            if !mayDiffer, !runsPrograms { try compareRows(changes) }
            if areForeignKeysOff, try areViolated(foreignKeys, by: changes) { try answerViolation() }
            return resolutions
        }
    }

    private var isInverted: Bool { options.contains(.inverted) }

    /// Returns the foreign keys that SQLite enforces.
    ///
    /// - Throws: `SQLiteError` if one is violated already.
    private func enforcedForeignKeys(on handle: OpaquePointer) throws -> [ForeignKey] {
        if squall_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY) == 0 { return [] }
        if connection.hasViolatedForeignKeys { throw SQLiteError(ChangesetProblem.pendingForeignKeys) }
        return try connection.foreignKeys()
    }

    /// Turns foreign keys on and off, if they are off for the changes. Unlike the PRAGMA, this has an effect inside a transaction.
    private func setForeignKeys(on isOn: Bool) {
        // A function that a statement calls may have closed the connection.
        guard areForeignKeysOff, let handle = connection.handle else { return }
        squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, isOn ? 1 : 0)
    }

    /// Whether the changes have left a row that refers to no other, or to one that may not be its own.
    private func areViolated(_ foreignKeys: [ForeignKey], by changes: AppliedChanges) throws -> Bool {
        let check = ForeignKeyCheck(connection, RowStatements(connection), foreignKeys)
        return try check.isViolated(by: tables.mapValues(\.keyColumns)) { body in
            try changes.forEachIterator(isInverted: isInverted) { iterator in
                let change = try iterator.change(naming: columnNames)
                if includes(change.table) { try body(change, columnNames[Identifier(change.table)] ?? []) }
            }
        }
    }

    /// Throws if a constraint has replaced a row that the changes do not delete.
    private func followingReplacedRows<Result>(_ body: () throws -> Result) throws -> Result {
        replacedRows = try ReplacedRows(connection)
        guard let replacedRows else { return try body() }
        connection.follow(replacedRows)
        defer { connection.unfollow(replacedRows) }
        let result = try body()
        if let row = replacedRows.first {
            throw SQLiteError.differentRow(of: row.table.spelling, key: row.key, column: nil)
        }
        return result
    }

    private func compareRows(_ changes: AppliedChanges) throws {
        let rows = try WrittenRows(connection, tables: tables, changes.storageClasses)
        if rows.areAllStored { return }
        try changes.forEachIterator(isInverted: isInverted) { iterator in
            try rows.check(iterator) { table, key in
                guard includes(table) else { return false }
                if omittedRows.isEmpty { return true }
                let key = key.map { $0.map { SQLiteValue($0).bindingValue } ?? .null }
                return !omittedRows.contains(ReplacedRows.Row(table: Identifier(table), key: key))
            }
        }
    }

    private func run(_ changes: AppliedChanges, on handle: OpaquePointer) throws -> Resolutions {
        // SQLite turns it off at its end.
        let defersForeignKeys = connection.pragmaValue("defer_foreign_keys", on: handle) == 1
        defer {
            if defersForeignKeys { connection.runInternally("PRAGMA defer_foreign_keys = ON", on: handle) }
        }
        var (answers, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        let code = try apply(changes, to: handle, &answers, &count)
        let resolutions = Resolutions(Data(takingChangeset: answers, count: count))
        if let error = failure ?? (code == SQLITE_OK ? nil : error(code, on: handle)) { throw error }
        return resolutions
    }

    private func apply(
        _ changes: AppliedChanges, to handle: OpaquePointer, _ answers: inout UnsafeMutableRawPointer?,
        _ count: inout Int32
    ) throws -> Int32 {
        // An update that a constraint does not allow is a conflict in every version. Newer ones would also try to delete the row and to
        // insert it last, and SQLite 3.53 reports the failure of that as an error, because it does not expect extended result codes.
        let inversion = isInverted ? SQLITE_CHANGESETAPPLY_INVERT : 0
        let flags = SQLITE_CHANGESETAPPLY_NOUPDATELOOP | inversion
        let context = Unmanaged.passUnretained(self).toOpaque()
        var code = SQLITE_OK
        switch changes {
        case .bytes(let changes, _):
            try changes.data.withChangesetBytes(isChecked: true) { bytes, byteCount in
                code = withDeepExpressions(on: handle) {
                    sqlite3changeset_apply_v2(
                        handle, byteCount, bytes, applyFilter, applyConflict, context, &answers, &count, flags)
                }
            }
        case .copy(let copy):
            try copy.stream.withInput { read, source in
                code = withDeepExpressions(on: handle) {
                    sqlite3changeset_apply_v2_strm(
                        handle, read, source, applyFilter, applyConflict, context, &answers, &count, flags)
                }
            }
        }
        return code
    }

    /// Calls a function of SQLite, whose statements have a condition for each column, past a limit that ``resolve`` must keep to.
    private func withDeepExpressions<Result>(on handle: OpaquePointer, _ body: () -> Result) -> Result {
        depthLimit = sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, Int32.max)
        defer { setDepthLimit(depthLimit) }
        return body()
    }

    private func setDepthLimit(_ limit: Int32) {
        if let handle = connection.handle { sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, limit) }
    }

    /// Throws for changes of a table that does not exist or does not fit.
    private func begin(_ header: ChangesetHeader) throws {
        let isIncluded = includes(header.table)
        try checkTransaction()
        guard isIncluded else { return }
        if isInverted, header.isPatchset {
            throw SQLiteError(ChangesetProblem.patchsetInverted)
        }
        guard let table = tables[Identifier(header.table)], table.isStored else {
            throw SQLiteError(ChangesetProblem.missingTable, of: .table(header.table))
        }
        let (expected, found) = (header.keyPositions.count, table.columns.count)
        if found < expected {
            throw SQLiteError(ChangesetProblem.missingColumns(expected: expected, found: found), of: .table(table.name))
        }
        // SQLite compares the positions too.
        if table.keyPositions != header.keyPositions + Array(repeating: 0, count: found - expected) {
            throw SQLiteError(ChangesetProblem.otherPrimaryKey, of: .table(table.name))
        }
        if begunTables.contains(where: { $0.name == table.name }) { mayDiffer = true }
        begunTables.append(table)
    }

    private func error(_ code: Int32, on handle: OpaquePointer) -> any Error {
        // Bytes that are damaged are not a damaged database, whose error the connection has too.
        let isOfBytes = code & 0xff == SQLITE_CORRUPT && sqlite3_errcode(handle) & 0xff != SQLITE_CORRUPT
        if isOfBytes { return Changeset.error(code) }
        // The last statement of SQLite has replaced the message.
        if code & 0xff == SQLITE_ERROR, let error = preparationError(on: handle) { return error }
        return connection.failure(code, sql: nil)
    }

    /// Returns the error of a table that cannot be written to, such as a missing function in a CHECK.
    private func preparationError(on handle: OpaquePointer) -> SQLiteError? {
        for table in begunTables {
            for sql in [
                SQL("INSERT INTO main.\(name: table.name) DEFAULT VALUES"),
                SQL("UPDATE main.\(name: table.name) SET \(name: table.columns[0]) = NULL"),
                SQL("DELETE FROM main.\(name: table.name)"),
            ] {
                var statement: OpaquePointer?
                let code = connection.internally(isHidden: true) {
                    sqlite3_prepare_v2(handle, sql.text, -1, &statement, nil)
                }
                sqlite3_finalize(statement)
                if code != SQLITE_OK { return connection.error(code, sql: sql.text) }
            }
        }
        return nil
    }

    /// Whether the changes of a table are applied. The closure gets the name that the table has here: changes of strangers can spell it
    /// in other letters.
    private func includes(_ table: String) -> Bool {
        let identifier = Identifier(table)
        if let known = isIncluded[identifier] { return known }
        let isAccepted = accepts(tables[identifier]?.name ?? table)
        isIncluded[identifier] = isAccepted
        return isAccepted
    }

    fileprivate func isApplied(_ table: String) -> Bool { failure == nil && includes(table) }

    /// Throws after a closure has ended the transaction: SQLite would commit each of the other changes.
    private func checkTransaction() throws { try connection.checkTransactionInHook() }

    /// - Returns: SQLite's code of the answer.
    fileprivate func answer(_ code: Int32, _ iterator: OpaquePointer) -> Int32 {
        do {
            let conflict = try conflict(code, ChangesetIterator(borrowing: iterator))
            if isAlreadyReplaced(conflict) { return SQLITE_CHANGESET_OMIT }
            setDepthLimit(depthLimit)
            replacedRows?.isPaused = true
            setForeignKeys(on: true)
            defer {
                setDepthLimit(Int32.max)
                replacedRows?.isPaused = false
                setForeignKeys(on: false)
            }
            return try answer(conflict) == .replace ? SQLITE_CHANGESET_REPLACE : SQLITE_CHANGESET_OMIT
        } catch {
            failure = error
            return SQLITE_CHANGESET_ABORT
        }
    }

    /// Whether a row that is to be deleted was replaced by another one before.
    private func isAlreadyReplaced(_ conflict: Changeset.Conflict) -> Bool {
        guard let replacedRows, conflict.kind == .notFound, let change = conflict.change, change.operation == .delete
        else { return false }
        return replacedRows.takeReplaced(ReplacedRows.Row(table: Identifier(change.table), key: change.rowKey.values))
    }

    /// Throws unless violated foreign keys, which SQLite has not checked, are kept.
    private func answerViolation() throws {
        setForeignKeys(on: true)
        defer { setForeignKeys(on: false) }
        _ = try answer(Changeset.Conflict(kind: .foreignKey, change: nil, row: nil))
    }

    /// - Returns: The answer, which is not `abort`.
    private func answer(_ conflict: Changeset.Conflict) throws -> Changeset.Answer {
        let total = connection.totalChanges
        let answer = try resolve(conflict)
        try checkTransaction()
        if connection.totalChanges != total { mayDiffer = true }
        switch answer {
        case .abort:
            throw SQLiteError(
                ChangesetProblem.aborted(conflict: "\(conflict.kind)"), of: (conflict.change?.table).map { .table($0) })
        case .replace where conflict.row == nil: throw SQLiteError(ChangesetProblem.invalidReplace)
        case .omit:
            if let change = conflict.change {
                omittedRows.insert(ReplacedRows.Row(table: Identifier(change.table), key: change.rowKey.values))
            }
        case .replace: break
        }
        return answer
    }

    private func conflict(_ code: Int32, _ iterator: borrowing ChangesetIterator) throws -> Changeset.Conflict {
        if code == SQLITE_CHANGESET_FOREIGN_KEY {
            return Changeset.Conflict(kind: .foreignKey, change: nil, row: nil)
        }
        let change = try iterator.change(naming: columnNames)
        let kind: Changeset.Conflict.Kind =
            switch code {
            case SQLITE_CHANGESET_DATA: .data
            case SQLITE_CHANGESET_NOTFOUND: .notFound
            case SQLITE_CHANGESET_CONFLICT: .conflict
            default: .constraint
            }
        let hasRow = kind == .data || kind == .conflict
        return Changeset.Conflict(
            kind: kind, change: change,
            row: hasRow ? try iterator.conflictingRow(naming: columnNames[Identifier(change.table)] ?? []) : nil)
    }
}

private func applyFilter(_ context: UnsafeMutableRawPointer?, _ table: UnsafePointer<CChar>?) -> Int32 {
    guard let context, let table else { return 0 }
    let application = Unmanaged<ChangesetApplication>.fromOpaque(context)
    return application._withUnsafeGuaranteedRef { $0.isApplied(String(cString: table)) } ? 1 : 0
}

private func applyConflict(
    _ context: UnsafeMutableRawPointer?, _ code: Int32, _ iterator: OpaquePointer?
) -> Int32 {
    guard let context, let iterator else { return SQLITE_CHANGESET_ABORT }
    let application = Unmanaged<ChangesetApplication>.fromOpaque(context)
    return application._withUnsafeGuaranteedRef { $0.answer(code, iterator) }
}
