import Foundation
import Squall
import SquallBase
import SquallChanges
import SquallSync

/// The log of a hub as one principal sees it, in one transaction.
struct ScopedLog {
    private let log: SyncLog
    private let connection: Connection
    private let reader: ScopeReader
    private let scopes: HubScopes
    private let last: SyncCursor
    /// The name of the log for the principal.
    private var name: String
    /// The end of the log, as a position for the principal.
    private(set) var end: SyncCursor

    init(_ log: SyncLog, _ scopes: HubScopes, _ principal: SyncPrincipal, on connection: Connection) throws {
        self.log = log
        self.connection = connection
        self.scopes = scopes
        reader = ScopeReader(scopes, principal, on: connection)
        last = try log.end(on: connection)
        name = scopes.log(last.log, for: principal)
        end = try Self.position(last.sequence, in: name, on: connection)
    }

    var principal: SyncPrincipal { reader.principal }

    /// Goes on with what another principal sees.
    mutating func turn(to principal: SyncPrincipal) throws {
        reader.principal = principal
        name = scopes.log(last.log, for: principal)
        end = try Self.position(last.sequence, in: name, on: connection)
    }

    /// Returns a position for the principal. It has the mark of its entry: after the file of the hub was restored, other entries get the numbers of those
    /// that were lost.
    private static func position(
        _ sequence: Int64, in name: String, on connection: Connection
    ) throws -> SyncCursor {
        let mark: Int64? = try connection.query("SELECT mark FROM main.squall_sync_log WHERE sequence = \(sequence)")
        return SyncCursor(log: "\(name)#\(mark.map { String($0, radix: 16) } ?? "")", sequence: sequence)
    }

    /// Whether a device can go on from a position. Otherwise it begins again: the log, or what the principal sees, is another one.
    func knows(_ cursor: SyncCursor) throws -> Bool {
        // Everyone could name the position before all entries.
        if cursor.sequence == 0, end.sequence > 0 { return false }
        return try cursor == Self.position(cursor.sequence, in: name, on: connection) && cursor.sequence <= end.sequence
    }

    /// The position in the log itself.
    private func position(_ cursor: SyncCursor) -> SyncCursor { SyncCursor(log: last.log, sequence: cursor.sequence) }

    /// Returns all changes since a position.
    func changes(since sequence: Int64) throws -> ScopeReader.Undo {
        if sequence == end.sequence { return [:] }
        let start = SyncCursor(log: last.log, sequence: sequence)
        return ScopeReader.byTable(try log.netChanges(after: start, upTo: last, on: connection))
    }

    /// Whether the principal sees some of all changes since a position.
    func sees(_ changes: ScopeReader.Undo) throws -> Bool {
        try !reader.changes(changes, undoing: changes, to: [:]).isEmpty
    }

    /// Returns the changes for the principal between two positions.
    ///
    /// - Parameter after: All changes since the second one.
    private func changes(
        after start: SyncCursor, upTo next: SyncCursor, _ after: ScopeReader.Undo
    ) throws -> [SyncChange] {
        let changes = ScopeReader.byTable(
            try log.netChanges(after: position(start), upTo: position(next), on: connection))
        return try reader.changes(
            changes, undoing: next == end ? changes : self.changes(since: start.sequence), to: after)
    }

    func page(after cursor: SyncCursor, for device: String, byteLimit: Int) throws -> SyncPage {
        let read = try log.changes(since: position(cursor), byteLimit: byteLimit, on: connection)
        let next = try Self.position(read.cursor.sequence, in: name, on: connection)
        let undo = try changes(since: next.sequence)
        let batch = try log.batch(
            of: changes(after: cursor, upTo: next, undo), after: cursor, upTo: next, for: device, on: connection)
        return SyncPage(batch: batch, hasMore: next != end)
    }

    func start(of device: String) throws -> SyncPage {
        let batch = try log.start(of: device, at: end, on: connection)
        let known = try log.cursor(of: device, on: connection)?.sequence ?? 0
        return SyncPage(batch: batch, hasMore: false, begins: true, known: known)
    }

    func rows(of table: String, after key: Data?, at cursor: SyncCursor, byteLimit: Int) throws -> SyncRows {
        guard reader.hasTable(table) else { throw SQLiteError(SyncProblem.unknownTable, of: .table(table)) }
        let part = try reader.part(of: Identifier(table), undoing: changes(since: cursor.sequence))
        return try log.rows(of: table, in: part, after: key, byteLimit: byteLimit, at: cursor, on: connection)
    }

    func firstDifference(_ request: SyncAuditRequest) throws -> Int? {
        guard reader.hasTable(request.table) else {
            throw SQLiteError(SyncProblem.unknownTable, of: .table(request.table))
        }
        let all = try AuditedColumns(of: request.table, on: connection).columns
        let columns = AuditedColumns(all.prefix(request.columns.count))
        guard !columns.columns.isEmpty,
            columns.columns.map({ Identifier($0.name) }) == request.columns.map({ Identifier($0) }),
            !all.dropFirst(request.columns.count).contains(where: \.isKey)
        else {
            let problem = SyncProblem.otherColumns(expected: request.columns, found: all.map(\.name))
            throw SQLiteError(problem, of: .table(request.table))
        }
        let part = try reader.part(of: Identifier(request.table), undoing: changes(since: request.cursor.sequence))
        let source = part ?? "main.\(name: request.table)"
        let keys = columns.keyNames
        let excluded = Set(request.excluded)
        var after: Data?
        for (index, range) in request.ranges.enumerated() {
            let bounds = try [(">", after), ("<=", range.through)].compactMap { sign, key in
                try key.map { key in
                    let values = try RowBytes.key(key).map { "\($0)" as SQL }.joined(separator: ", ")
                    return "(\(keys)) \(raw: sign) (\(values))" as SQL
                }
            }
            let condition: SQL = bounds.isEmpty ? "" : "WHERE \(bounds.joined(separator: " AND "))"
            var sum = RowBytes()
            try connection.forEach("SELECT \(columns.names) FROM \(source) \(condition) ORDER BY \(keys)") { row in
                let values = row.columns.map(\.bindingValue)
                _ = sum.add(values, key: columns.key(of: values), excluding: excluded)
            }
            if sum.checksum != range.checksum { return index }
            after = range.through
        }
        return nil
    }
}
