import SquallChanges
import Squall
import Testing

/// A database with a log, for tests of synchronisation.
final class SyncReplica {
    let connection: Connection
    private(set) var log: SyncLog

    init(
        _ origin: String, role: SyncLog.Role = .peer, schema: String, tables: [String: SyncLog.Policy],
        version: Int = 0, runsTriggers: Bool = false
    ) throws {
        connection = try Connection()
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("\(raw: schema)")
        log = try SyncLog(
            connection, origin: origin, role: role, tables: tables, version: version, runsTriggers: runsTriggers)
    }

    /// Opens the log again, after a migration.
    func open(_ tables: [String: SyncLog.Policy], version: Int = 0) throws {
        log = try SyncLog(connection, origin: log.origin, role: log.role, tables: tables, version: version)
    }

    func batch(since cursor: SyncCursor? = nil, limit: Int? = nil) throws -> SyncBatch {
        try log.changes(since: cursor, limit: limit, on: connection)
    }

    func pending() throws -> [SyncReport.PendingChange] { try log.pending(on: connection) }

    func record(_ sql: SQL) throws {
        try log.record(on: connection) { try $0.execute(sql) }
    }

    @discardableResult
    func merge(_ batch: SyncBatch) throws -> SyncReport {
        // Every batch takes the way through its bytes.
        try log.merge(SyncBatch(batch.data), on: connection)
    }

    /// Merges what this replica does not know of another one.
    @discardableResult
    func pull(_ other: SyncReplica, limit: Int? = nil) throws -> SyncReport {
        let cursor = try log.cursor(of: other.log.origin, on: connection)
        return try merge(other.batch(since: cursor, limit: limit))
    }

    func rows(_ table: String) throws -> [String] {
        try connection.query("SELECT * FROM \(name: table)", as: Row.self).map(\.quotedText).sorted()
    }

    func value(_ sql: SQL) throws -> String? { try connection.query(sql) }
}

extension Row {
    /// All values, exactly.
    var quotedText: String {
        columns.map { column in
            switch column.bindingValue {
            case .null: "NULL"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let value): "'\(value)'"
            case .blob(let value): "x" + value.map { String($0, radix: 16) }.joined(separator: ".")
            case .malformedText(let value): "t" + value.map { String($0, radix: 16) }.joined(separator: ".")
            }
        }.joined(separator: ", ")
    }
}
