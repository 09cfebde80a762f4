#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// Rows of a table of a hub, in the order of their keys, with which a replica begins.
///
///     let position = try hubLog.end(on: hub)
///     var pages = [try hubLog.rows(of: "notes", byteLimit: 1_000_000, on: hub)]
///     while let next = pages.last?.next {
///         pages.append(try hubLog.rows(of: "notes", after: next, byteLimit: 1_000_000, on: hub))
///     }
///     let news = try hubLog.changes(since: position, on: hub)
///     try replicaLog.begin(with: pages, [news], on: replica)
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

extension SyncLog {
    /// Returns the next rows of a table of a hub, in the order of their keys, as many as have together at most some bytes. One row is
    /// returned in any case.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The key after which the rows begin: ``SyncRows/next``; `nil` for the first rows.
    ///   - byteLimit: The number of bytes of all rows.
    ///   - connection: A connection of the database, which may be a reader.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``.
    public func rows(
        of table: String, after key: Data? = nil, byteLimit: Int, on connection: Connection
    ) throws -> SyncRows {
        let open = try OpenLog(self, connection)
        guard let definition = open.tables[Identifier(table)] else {
            throw SQLiteError(SyncProblem.unknownTable, of: .table(table))
        }
        var (changes, bytes): ([SyncChange], Int) = ([], 0)
        var next: Data?
        try definition.forEachRow(after: key, in: connection) { row, stop in
            let change = SyncChange(definition, origin: origin, old: nil, new: row)
            if change.key.hasNull { return }
            bytes += [change].changesetData.count
            if !changes.isEmpty, bytes > byteLimit {
                next = changes.last?.key.data
                return stop = true
            }
            changes.append(change)
        }
        return SyncRows(table: definition.name, batch: open.batch(of: changes, in: definition), next: next)
    }

    /// Begins a replica, or begins it again, with the rows of its hub, in one transaction. Rows that the hub does not have are deleted. Changes
    /// of this replica that the hub does not have are made again.
    ///
    /// It serves a new replica, and one whose position in the log of the hub was removed.
    ///
    /// - Parameters:
    ///   - pages: All rows of all tables.
    ///   - batches: The changes of the hub since before the first rows were read: the first batch begins at that position, and the last one
    ///     ends after the last rows were read.
    ///   - sent: The position up to which the hub had the changes of this replica before the first rows were read, ``cursor(of:on:)``; `nil` if it
    ///     had none.
    ///   - connection: A connection that can write.
    /// - Returns: The changes of the tables, and changes of this replica that do not fit.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``. Nothing is changed then.
    @discardableResult
    public func begin(
        with pages: [SyncRows], _ batches: [SyncBatch], sent: SyncCursor? = nil, on connection: Connection
    ) throws -> SyncReport {
        guard let first = batches.first else { throw SyncReader.damagedError }
        return try merging(pages.map(\.batch) + batches, on: connection) { open in
            try ReplicaMerge(open, first).begin(with: pages.map(\.batch), batches, sent: sent)
        }
    }
}

extension OpenLog {
    fileprivate func batch(of rows: [SyncChange], in table: SyncTable) -> SyncBatch {
        let position = SyncCursor(log: id, sequence: 0)
        let entry = SyncBatch.Entry(
            sequence: 0, origin: origin, number: 0, stamp: .null, changes: rows.changesetData, conflicts: Data())
        let layout = SyncBatch.Layout(name: table.name, columns: table.columns, isKey: table.isKey)
        return SyncBatch(
            role: log.role, version: log.version, sender: origin, start: position, cursor: position, layouts: [layout],
            entries: [entry])
    }
}

extension SyncTable {
    /// Calls a closure with the rows after a key, in the order of their keys.
    fileprivate func forEachRow(
        after key: Data?, in connection: Connection, _ body: ([BindingValue], _ stop: inout Bool) throws -> Void
    ) throws {
        let names = zip(columns, isKey).filter(\.1).map(\.0)
        var condition: SQL = ""
        if let key {
            var reader = SyncReader(key)
            let values = try names.map { _ in "\(try reader.value() ?? .null)" as SQL }
            guard reader.isAtEnd else { throw SyncReader.damagedError }
            condition = "WHERE (\(names: names)) > (\(values.joined(separator: ", ")))"
        }
        let sql: SQL = "SELECT \(names: columns) FROM main.\(name: name) \(condition) ORDER BY \(names: names)"
        try connection.prepare(sql).forEach { row, stop in
            try body(row.columns.map(\.bindingValue), &stop)
        }
    }
}
