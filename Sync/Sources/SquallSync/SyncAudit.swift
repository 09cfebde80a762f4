import Foundation
import Squall
import SquallChanges

/// A question of a device, whether the hub has the same rows of a table for it.
public struct SyncAuditRequest: Hashable, Sendable, Codable {
    /// Rows between two keys, of which the first one is that of the range before.
    public struct Range: Hashable, Sendable, Codable {
        /// The key of the last row; `nil` for the rows after all others.
        public let through: Data?
        /// The checksum of the rows in the order of their keys.
        public let checksum: UInt64
    }

    /// The origin of the device.
    public let origin: String
    /// The version of the device's tables.
    public let version: Int
    /// The position of the hub whose rows the device has.
    public let cursor: SyncCursor
    /// The table.
    public let table: String
    /// The columns that are compared.
    public let columns: [String]
    /// The keys of rows that the device has changed, and that are not compared.
    public let excluded: [Data]
    /// The ranges, in the order of their keys.
    public let ranges: [Range]
}

/// Rows of a table of which the device and its hub have other ones.
public struct SyncDifference: Hashable, Sendable {
    /// The table.
    public let table: String
    /// The key after which the rows begin; empty for the first rows.
    public let after: [BindingValue]
    /// The key of the last row; empty for the rows after all others.
    public let through: [BindingValue]
}

extension SyncEngine {
    /// The number of rows in a range.
    private static let rowsOfRange = 1_000

    /// Compares the rows of the device with those that the hub has for it, by checksums of ranges. Rows that the device has changed since are left
    /// out.
    ///
    /// Both sides read all rows of the device once, and send some bytes for each thousand of them.
    ///
    /// - Returns: The first range that differs; `nil` if none does.
    /// - Throws: As ``now()``. A device that has never been synchronised has no rows of the hub: `nil` is returned.
    public func audit() async throws -> SyncDifference? {
        try await beginRound()
        defer { endRound() }
        try await followed.flush()
        guard let cursor = try await cursor() else { return nil }
        for table in tables {
            let request = try await database.read { [log] connection in
                try self.request(table.name, cursor, log, on: connection)
            }
            guard let index = try await transport.audit(request), request.ranges.indices.contains(index) else {
                continue
            }
            let after = index > 0 ? request.ranges[index - 1].through : nil
            return SyncDifference(
                table: table.name, after: try after.map { try RowBytes.key($0) } ?? [],
                through: try request.ranges[index].through.map { try RowBytes.key($0) } ?? [])
        }
        return nil
    }

    private nonisolated func request(
        _ table: String, _ cursor: SyncCursor, _ log: SyncLog, on connection: Connection
    ) throws -> SyncAuditRequest {
        let columns = try AuditedColumns(of: table, on: connection)
        var excluded: Set<Data> = []
        for changeset in try log.changes(on: connection).changesets {
            try changeset.forEach { change in
                guard change.table.lowercased() == table.lowercased() else { return }
                let row = change.operation == .insert ? change.new : change.old
                excluded.insert(RowBytes.data(ofKey: change.keyColumns.map { row[$0] ?? .null }))
            }
        }
        var ranges: [SyncAuditRequest.Range] = []
        var (sum, count) = (RowBytes(), 0)
        let sql: SQL = "SELECT \(columns.names) FROM main.\(name: table) ORDER BY \(columns.keyNames)"
        try connection.forEach(sql) { row in
            let values = row.columns.map(\.bindingValue)
            let key = columns.key(of: values)
            guard sum.add(values, key: key, excluding: excluded) else { return }
            count += 1
            if count == Self.rowsOfRange {
                ranges.append(SyncAuditRequest.Range(through: RowBytes.data(ofKey: key), checksum: sum.checksum))
                (sum, count) = (RowBytes(), 0)
            }
        }
        ranges.append(SyncAuditRequest.Range(through: nil, checksum: sum.checksum))
        return SyncAuditRequest(
            origin: log.origin, version: log.version, cursor: cursor, table: table,
            columns: columns.columns.map(\.name),
            excluded: Array(excluded), ranges: ranges)
    }
}

/// The columns of a table that are compared.
package struct AuditedColumns {
    package let columns: [(name: String, isKey: Bool)]

    package init(_ columns: some Sequence<(name: String, isKey: Bool)>) { self.columns = Array(columns) }

    /// The columns of a table that the log of a database has.
    package init(of table: String, on connection: Connection) throws {
        var columns: [(String, Bool)] = []
        try connection.forEach(
            "SELECT name, is_key FROM main.squall_sync_columns WHERE tbl = \(table) ORDER BY position"
        ) { columns.append((try $0.get(0), try $0.get(1))) }
        self.columns = columns
    }

    /// The names in SQL, with commas.
    package var names: SQL { columns.map { "\(name: $0.name)" as SQL }.joined(separator: ", ") }
    package var keyNames: SQL {
        columns.filter(\.isKey).map { "\(name: $0.name)" as SQL }.joined(separator: ", ")
    }

    package func key(of row: [BindingValue]) -> [BindingValue] { zip(row, columns).filter(\.1.isKey).map(\.0) }
}

/// The bytes of rows, in which values of two types differ, and their checksum.
package struct RowBytes {
    /// FNV-1a.
    package private(set) var checksum: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds a row, unless its key has NULL or is excluded.
    ///
    /// - Returns: Whether it was added.
    package mutating func add(_ row: [BindingValue], key: [BindingValue], excluding excluded: Set<Data>) -> Bool {
        if key.contains(.null) || excluded.contains(Self.data(ofKey: key)) { return false }
        for byte in Self.data(ofKey: row) { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return true
    }

    package static func data(ofKey values: [BindingValue]) -> Data {
        var data = Data()
        func add(_ kind: UInt8, _ number: UInt64, _ bytes: some Sequence<UInt8> = []) {
            data.append(kind)
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: bytes)
        }
        for value in values {
            switch value {
            case .null: add(0, 0)
            case .integer(let integer): add(1, UInt64(bitPattern: integer))
            case .real(let real): add(2, real.bitPattern)
            case .text(let text): add(3, UInt64(text.utf8.count), text.utf8)
            case .blob(let bytes): add(4, UInt64(bytes.count), bytes)
            case .malformedText(let bytes): add(5, UInt64(bytes.count), bytes)
            }
        }
        return data
    }

    /// - Throws: A ``SyncRefusal`` for bytes that are not those of a key.
    package static func key(_ data: Data) throws -> [BindingValue] {
        var bytes = Array(data)[...]
        var values: [BindingValue] = []
        while let kind = bytes.popFirst() {
            guard bytes.count >= 8 else { throw SyncRefusal.batch("the bytes are not those of a key") }
            let number = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            bytes = bytes.dropFirst(8)
            guard kind <= 5, kind < 3 || number <= UInt64(bytes.count) else {
                throw SyncRefusal.batch("the bytes are not those of a key")
            }
            let content = kind < 3 ? [] : bytes.prefix(Int(number))
            bytes = bytes.dropFirst(content.count)
            switch kind {
            case 0: values.append(.null)
            case 1: values.append(.integer(Int64(bitPattern: number)))
            case 2: values.append(.real(Double(bitPattern: number)))
            case 3: values.append(.text(String(decoding: content, as: UTF8.self)))
            case 4: values.append(.blob(Data(content)))
            default: values.append(.malformedText(Data(content)))
            }
        }
        return values
    }
}
