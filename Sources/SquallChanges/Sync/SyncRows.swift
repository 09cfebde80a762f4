#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// Rows of a table of a hub, in the order of their keys, with which a replica begins.
///
///     let start = try hubLog.start(of: "replica", on: hub)
///     var pages = [try hubLog.rows(of: "notes", byteLimit: limit, on: hub)]
///     while let next = pages.last?.next {
///         pages.append(
///             try hubLog.rows(of: "notes", after: next, byteLimit: limit, on: hub))
///     }
///     let news = try hubLog.changes(since: start.cursor, on: hub)
///     try replicaLog.begin(with: pages, [start, news], on: replica)
///
/// The hub may be written between the calls: `news` has the changes of that time.
public struct SyncRows: Hashable, Sendable, Codable {
    /// The table.
    public let table: String
    /// The rows as insertions.
    let batch: SyncBatch
    /// The key of the last row, after which the next rows begin; `nil` if there are none.
    public let next: Data?
}

extension SyncRows {
    /// The rows as bytes, those of a ``SyncBatch``.
    public var data: Data { batch.data }

    /// Reads rows that were stored or received.
    ///
    /// - Throws: `SQLiteError`, with a ``SyncProblem``, for bytes that are not those of rows.
    public init(_ data: Data) throws {
        batch = try SyncBatch(data)
        guard batch.layouts.count == 1, batch.count == 1 else { throw SyncReader.damagedError }
        table = batch.layouts[0].name
        switch batch.entries[0].stamp {
        case .blob(let key): next = key
        case .null: next = nil
        default: throw SyncReader.damagedError
        }
    }
}

extension SyncLog {
    /// Returns the next rows of a table of a hub, in the order of their keys, as many as have together at most some bytes. One row is
    /// returned in any case.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - part: A `SELECT` in parentheses of those rows that the replica shall have, with the names of the columns; `nil` for all rows.
    ///   - key: The key after which the rows begin: ``SyncRows/next``; `nil` for the first rows.
    ///   - byteLimit: The number of bytes of all rows.
    ///   - cursor: The position of ``start(of:at:on:)``, if it is another one than that of the log.
    ///   - connection: A connection of the database, which may be a reader.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``.
    public func rows(
        of table: String, in part: SQL? = nil, after key: Data? = nil, byteLimit: Int, at cursor: SyncCursor? = nil,
        on connection: Connection
    ) throws -> SyncRows {
        let open = try OpenLog(self, connection)
        guard let definition = open.tables[Identifier(table)] else {
            throw SQLiteError(SyncProblem.unknownTable, of: .table(table))
        }
        var (changes, bytes): ([SyncChange], Int) = ([], 0)
        var next: Data?
        let source = part ?? "main.\(name: definition.name)"
        try definition.forEachRow(of: source, after: key, in: connection) { row, stop in
            let change = SyncChange(definition, origin: origin, old: nil, new: row)
            if change.key.hasNull { return }
            bytes += [change].changesetData.count
            if !changes.isEmpty, bytes > byteLimit {
                next = changes.last?.key.data
                return stop = true
            }
            changes.append(change)
        }
        return SyncRows(
            table: definition.name, batch: open.batch(of: changes, in: definition, cursor, next), next: next)
    }

    /// Returns the batch with which a replica begins: the position of the hub, and the conflicts of the replica that are in its log.
    ///
    /// - Parameters:
    ///   - replica: The origin of the replica.
    ///   - cursor: The position of the log, if it has another name for the replica.
    ///   - connection: A connection of the database of the hub, which may be a reader.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``.
    public func start(
        of replica: String, at cursor: SyncCursor? = nil, on connection: Connection
    ) throws -> SyncBatch {
        if role != .hub { throw SQLiteError(SyncProblem.wrongRole(role.rawValue)) }
        let (open, end) = (try OpenLog(self, connection), try cursor ?? end(on: connection))
        var entries = try open.answers(to: replica, after: 0, upTo: end.sequence)
        // Its entries may have been combined with others.
        if let known = try open.cursor(of: replica) {
            let last = SyncBatch.Entry(
                sequence: end.sequence, origin: replica, number: known.sequence, stamp: .null, changes: Data(),
                conflicts: Data())
            entries.append(last)
        }
        return SyncBatch(
            role: role, version: version, sender: origin, start: SyncCursor(log: end.log, sequence: 0), cursor: end,
            layouts: [], entries: entries)
    }

    /// Begins a replica, or begins it again, with the rows of its hub, in one transaction. Rows that the hub does not have are deleted. Changes
    /// of this replica that the hub does not have are made again.
    ///
    /// It serves a new replica, and one whose position in the log of the hub was removed.
    ///
    /// - Parameters:
    ///   - pages: All rows of all tables.
    ///   - batches: ``start(of:at:on:)`` from before the first rows were read, and all changes since then: the last batch ends after the last rows
    ///     were read.
    ///   - connection: A connection that can write.
    /// - Returns: The changes of the tables, and changes of this replica that do not fit.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``. Nothing is changed then.
    @discardableResult
    public func begin(
        with pages: [SyncRows], _ batches: [SyncBatch], on connection: Connection
    ) throws -> SyncReport {
        try requireReplica()
        guard let first = batches.first else { throw SyncReader.damagedError }
        return try merging(pages.map(\.batch) + batches, on: connection) { open in
            try ReplicaMerge(open, first).begin(with: pages.map(\.batch), batches)
        }
    }
}

extension OpenLog {
    fileprivate func batch(
        of rows: [SyncChange], in table: SyncTable, _ cursor: SyncCursor?, _ next: Data?
    ) -> SyncBatch {
        let position = SyncCursor(log: cursor?.log ?? id, sequence: 0)
        let entry = SyncBatch.Entry(
            sequence: 0, origin: origin, number: 0, stamp: next.map { .blob($0) } ?? .null, changes: rows.changesetData,
            conflicts: Data())
        return SyncBatch(
            role: log.role, version: log.version, sender: origin, start: position, cursor: position,
            layouts: [table.layout], entries: [entry])
    }
}

extension SyncTable {
    /// Calls a closure with the rows after a key, in the order of their keys.
    fileprivate func forEachRow(
        of source: SQL, after key: Data?, in connection: Connection,
        _ body: ([BindingValue], _ stop: inout Bool) throws -> Void
    ) throws {
        let names = zip(columns, isKey).filter(\.1).map(\.0)
        var condition: SQL = ""
        if let key {
            var reader = SyncReader(key)
            let values = try names.map { _ in "\(try reader.value() ?? .null)" as SQL }
            guard reader.isAtEnd else { throw SyncReader.damagedError }
            condition = "WHERE (\(names: names)) > (\(values.joined(separator: ", ")))"
        }
        let sql: SQL = "SELECT \(names: columns) FROM \(source) \(condition) ORDER BY \(names: names)"
        try connection.prepare(sql).forEach { row, stop in
            try body(row.columns.map(\.bindingValue), &stop)
        }
    }
}
