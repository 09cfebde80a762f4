import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Applies changes to the tables of `main` that have the same names.
    ///
    ///     let resolutions = try other.apply(changes) { conflict in
    ///         conflict.kind == .data ? .replace : .omit
    ///     }
    ///
    /// It is one transaction, or a savepoint inside a transaction: after an error nothing of it is left. Foreign keys are checked at
    /// its end. Hooks and observers are called as for statements, and triggers run, whose changes of recorded tables may be among
    /// the changes too: see ``Changeset/ApplyOptions/withoutTriggers``. A table may have more columns, at its end, than the changes.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - options: How the changes are applied.
    ///   - resolve: Answers a conflict. It may use the connection. Without it, a conflict ends the changes with an error.
    /// - Returns: The answers to the conflicts, with which local changes can be rebased.
    /// - Throws: The error of the closure; ``SQLiteError``: of the kind ``SQLiteError/Kind/changeset(_:)`` for damaged bytes, for a table
    ///   that does not exist or does not fit, and `SQLITE_ABORT` (4) for the answer ``Changeset/Answer/abort``; `SQLITE_ERROR` (1) if
    ///   SQLite was built without sessions.
    @discardableResult
    public func apply(
        _ changes: Changeset, options: Changeset.ApplyOptions = [],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer = { _ in .abort }
    ) throws -> Resolutions {
        try apply(changes, to: { _ in true }, options: options, resolve)
    }

    /// Applies the changes of some tables; see ``apply(_:options:_:)``.
    ///
    ///     try other.apply(changes, to: { $0 != "log" }) { $0.kind == .data ? .replace : .omit }
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - isIncluded: Whether the changes of a table are applied.
    ///   - options: How the changes are applied.
    ///   - resolve: Answers a conflict. It may use the connection. Without it, a conflict ends the changes with an error.
    /// - Returns: The answers to the conflicts, with which local changes can be rebased.
    /// - Throws: As ``apply(_:options:_:)``.
    // Disfavoured, so that a closure without a label is `resolve`.
    @_disfavoredOverload
    @discardableResult
    public func apply(
        _ changes: Changeset, to isIncluded: @escaping (String) -> Bool, options: Changeset.ApplyOptions = [],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer = { _ in .abort }
    ) throws -> Resolutions {
        try Changeset.checkSessions()
        if options.contains(.inverted), changes.isPatchset {
            throw SQLiteError(.changeset(.patchsetInverted), code: .corrupt)
        }
        let body = {
            let columnNames = try self.check(changes, isIncluded)
            return try ChangesetApplication(self, columnNames, isIncluded, resolve).run(changes, options)
        }
        if isInTransaction { return try savepoint(named: "squall_apply", closure: body) }
        return try transaction(transactionType: .immediate, closure: body)
    }

    /// Throws for changes of tables that do not exist or do not fit, and returns the names of their columns.
    private func check(_ changes: Changeset, _ isIncluded: (String) -> Bool) throws -> [Identifier: [String]] {
        let tables = Dictionary(try recordedTables(in: "main").map { (Identifier($0.name), $0) }) { first, _ in first }
        try changes.data.withUnsafeBytes { bytes in
            for header in ChangesetHeaders(bytes) where isIncluded(header.table) {
                guard let table = tables[Identifier(header.table)], table.isStored else {
                    throw SQLiteError(.changeset(.missingTable(header.table)), code: .schema)
                }
                let (expected, found) = (header.isKey.count, table.columns.count)
                if found < expected {
                    throw SQLiteError(
                        .changeset(.missingColumns(table: table.name, expected: expected, found: found)), code: .schema)
                }
                if !table.isKey.elementsEqual(header.isKey + Array(repeating: false, count: found - expected)) {
                    throw SQLiteError(.changeset(.otherPrimaryKey(table: table.name)), code: .schema)
                }
            }
        }
        return tables.mapValues(\.columns)
    }
}

/// One call of SQLite that applies changes.
private final class ChangesetApplication {
    private let connection: Connection
    private let columnNames: [Identifier: [String]]
    private let isIncluded: (String) -> Bool
    private let resolve: (Changeset.Conflict) throws -> Changeset.Answer
    private var failure: (any Error)?

    init(
        _ connection: Connection, _ columnNames: [Identifier: [String]], _ isIncluded: @escaping (String) -> Bool,
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer
    ) {
        self.connection = connection
        self.columnNames = columnNames
        self.isIncluded = isIncluded
        self.resolve = resolve
    }

    func run(_ changes: Changeset, _ options: Changeset.ApplyOptions) throws -> Resolutions {
        guard let handle = connection.handle else { throw connection.closedError() }
        // SQLite turns it off at its end.
        let defersForeignKeys = connection.ask("defer_foreign_keys", on: handle) == 1
        let wereTriggersOn = squall_enable_triggers(handle, -1) != 0
        if options.contains(.withoutTriggers) { squall_enable_triggers(handle, 0) }
        defer {
            if options.contains(.withoutTriggers), wereTriggersOn { squall_enable_triggers(handle, 1) }
            if defersForeignKeys { connection.runInternally("PRAGMA defer_foreign_keys = ON", on: handle) }
        }
        // A closure that closes the connection must wait for SQLite.
        var (answers, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        let code = try changes.data.withChangesetBytes { bytes, byteCount in
            var code = SQLITE_OK
            connection.callbacks.release {
                code = sqlite3changeset_apply_v2(
                    handle, byteCount, bytes, applyFilter, applyConflict, Unmanaged.passUnretained(self).toOpaque(),
                    &answers, &count, options.contains(.inverted) ? SQLITE_CHANGESETAPPLY_INVERT : 0)
            }
            return code
        }
        let resolutions = Resolutions(Data(takingChangeset: answers, count: count))
        let error = code == SQLITE_OK ? nil : failure ?? error(code, on: handle)
        connection.finishCallbacks()
        if let error { throw error }
        return resolutions
    }

    private func error(_ code: Int32, on handle: OpaquePointer) -> any Error {
        // Bytes that are damaged are not a damaged database, whose error the connection has too.
        let isOfBytes = code & 0xff == SQLITE_CORRUPT && sqlite3_errcode(handle) & 0xff != SQLITE_CORRUPT
        return isOfBytes ? Changeset.error(code) : connection.failure(code, sql: nil)
    }

    fileprivate func isApplied(_ table: String) -> Bool { isIncluded(table) }

    /// - Returns: SQLite's code of the answer.
    fileprivate func answer(_ code: Int32, _ iterator: OpaquePointer) -> Int32 {
        do {
            let conflict = try conflict(code, ChangesetIterator(borrowing: iterator))
            switch try resolve(conflict) {
            case .omit: return SQLITE_CHANGESET_OMIT
            case .replace where conflict.row != nil: return SQLITE_CHANGESET_REPLACE
            case .replace: throw SQLiteError.misuse(.changeset(.invalidReplace))
            case .abort: throw SQLiteError(.changeset(.aborted(table: conflict.change?.table)), code: .abort)
            }
        } catch {
            failure = error
            return SQLITE_CHANGESET_ABORT
        }
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
        let names = columnNames[Identifier(change.table)] ?? []
        return Changeset.Conflict(
            kind: kind, change: change, row: hasRow ? try iterator.conflictingRow(naming: names) : nil)
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
