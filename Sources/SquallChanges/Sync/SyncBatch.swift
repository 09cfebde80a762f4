#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// A position in a ``SyncLog``: all changes up to it are known.
public struct SyncCursor: Hashable, Sendable, Codable {
    /// The log, which is renewed when a database is opened with another origin.
    public let log: String
    /// The number of the last known entry.
    public let sequence: Int64

    /// - Parameters:
    ///   - log: The log, or the name that a hub gives it for one replica. The part after the first `#` can be another one at each position.
    ///   - sequence: The number of the last known entry.
    public init(log: String, sequence: Int64) {
        self.log = log
        self.sequence = sequence
    }

    /// Whether the position is one of the same log as another one.
    func isOfLog(of other: SyncCursor) -> Bool {
        log.prefix { $0 != "#" } == other.log.prefix { $0 != "#" }
    }
}

/// Changes that one database sends to another: a part of a ``SyncLog``.
///
///     let batch = try database.blocking.read { try log.changes(since: cursor, on: $0) }
///     try batch.data.write(to: file)
///     let received = try SyncBatch(Data(contentsOf: file))
///
/// Its `Codable` form is its bytes.
public struct SyncBatch: Hashable, Sendable {
    /// The columns of a table when the changes were recorded.
    struct Layout: Hashable {
        let name: String
        let columns: [String]
        let isKey: [Bool]
    }

    struct Entry: Hashable {
        let sequence: Int64
        let origin: String
        /// The number that its origin gave it. For peers: the revision of the row.
        let number: Int64
        /// For peers: the value by which the last writer is found. For rows of a table: the key after which the next ones begin.
        let stamp: BindingValue
        let changes: Data
        /// The conflicts that the hub has found, with their changes.
        let conflicts: Data
    }

    /// The role of the sender.
    public let role: SyncLog.Role
    /// The version of the values: ``SyncLog/version`` of the sender.
    public let version: Int
    /// The origin of the sender.
    public let sender: String
    /// The position after which the changes begin. Of a replica, the position up to which its hub has answered it.
    public let start: SyncCursor
    /// The position after the changes, from which the next batch begins.
    public let cursor: SyncCursor
    let layouts: [Layout]
    let entries: [Entry]

    /// Whether the batch has no changes.
    public var isEmpty: Bool { entries.isEmpty }

    /// The number of entries.
    public var count: Int { entries.count }

    /// The changes of each entry, which other programs can read as SQLite's changesets. Updates have the values of all columns.
    /// They are for reading: the order of the columns in a primary key of several is not in them, so that they cannot be applied.
    public var changesets: [Changeset] { entries.map { Changeset($0.changes) } }
}

extension SyncBatch: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(Data.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

extension SyncBatch {
    private static let mark = Array("SquallS3".utf8)

    /// The batch as bytes, with a checksum against damage. They are not signed: who may send changes is for the transport to check.
    public var data: Data {
        var writer = ValueWriter()
        writer.write(Self.mark)
        for text in [role.rawValue, sender, start.log, cursor.log] { writer.write(text) }
        writer.write(Int64(version))
        writer.write(start.sequence)
        writer.write(cursor.sequence)
        writer.write(length: layouts.count)
        for layout in layouts {
            writer.write(layout.name)
            writer.write(length: layout.columns.count)
            for (column, isKey) in zip(layout.columns, layout.isKey) {
                writer.write(column)
                writer.write(isKey ? 1 : 0 as UInt8)
            }
        }
        writer.write(length: entries.count)
        for entry in entries {
            writer.write(entry.sequence)
            writer.write(entry.origin)
            writer.write(entry.number)
            writer.write(entry.stamp)
            writer.write(block: entry.changes)
            writer.write(block: entry.conflicts)
        }
        writer.write(Self.checksum(writer.bytes[...]))
        return Data(writer.bytes)
    }

    /// Reads a batch that was stored or received.
    ///
    /// - Throws: `SQLiteError`, with a ``SyncProblem``, for bytes that are not those of a batch.
    public init(_ data: Data) throws {
        let bytes = Array(data)
        guard bytes.count > 16, bytes.starts(with: Self.mark) else { throw SyncReader.damagedError }
        var end = SyncReader(bytes.suffix(8))
        guard try end.number() == Self.checksum(bytes.dropLast(8)) else { throw SyncReader.damagedError }
        var reader = SyncReader(bytes.dropFirst(8).dropLast(8))
        guard let role = SyncLog.Role(rawValue: try reader.text()) else { throw SyncReader.damagedError }
        self.role = role
        sender = try reader.text()
        let logs = (start: try reader.text(), end: try reader.text())
        version = Int(truncatingIfNeeded: try reader.number())
        start = SyncCursor(log: logs.start, sequence: try reader.number())
        cursor = SyncCursor(log: logs.end, sequence: try reader.number())
        layouts = try (0..<reader.length()).map { _ in
            let name = try reader.text()
            let columns = try (0..<reader.length()).map { _ in (try reader.text(), try reader.byte() == 1) }
            return Layout(name: name, columns: columns.map(\.0), isKey: columns.map(\.1))
        }
        entries = try (0..<reader.length()).map { _ in
            Entry(
                sequence: try reader.number(), origin: try reader.text(), number: try reader.number(),
                stamp: try reader.value() ?? .null, changes: Data(try reader.block()),
                conflicts: Data(try reader.block()))
        }
        let numbers = [start.sequence] + entries.map(\.sequence) + [cursor.sequence]
        let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
        let origins = [sender] + entries.map(\.origin)
        guard reader.isAtEnd, isAscending, numbers[0] >= 0, entries.allSatisfy({ $0.number >= 0 }),
            origins.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0) })
        else { throw SyncReader.damagedError }
    }

    /// FNV-1a.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return Int64(bitPattern: hash)
    }
}

extension SyncBatch: CustomStringConvertible {
    /// The sender, and the number of entries.
    public var description: String {
        "\(count) entries of the \(role) \(sender), after \(start.sequence) to \(cursor.sequence)"
    }
}
