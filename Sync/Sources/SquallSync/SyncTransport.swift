import Foundation
import SquallChanges

/// The way between a device and its hub.
///
/// A call that fails may have reached the hub: the device sends a batch again until it is answered, and the hub merges it once.
public protocol SyncTransport: Sendable {
    /// Sends changes of the device.
    ///
    /// - Returns: The position up to which the hub has the changes of the device.
    /// - Throws: A ``SyncRefusal`` of the hub; an error of the connection, after which the device tries again.
    func push(_ batch: SyncBatch) async throws -> SyncCursor

    /// Asks for the changes of the hub after a position.
    ///
    /// - Throws: A ``SyncRefusal`` of the hub; an error of the connection.
    func pull(_ request: SyncPullRequest) async throws -> SyncPage

    /// Asks for rows of a table of the hub, when the device begins.
    ///
    /// - Throws: A ``SyncRefusal`` of the hub; an error of the connection.
    func rows(_ request: SyncRowsRequest) async throws -> SyncRows

    /// Asks whether the hub has the same rows of a table.
    ///
    /// - Returns: The position of the first range that differs; `nil` if none does.
    /// - Throws: A ``SyncRefusal`` of the hub; an error of the connection.
    func audit(_ request: SyncAuditRequest) async throws -> Int?

    /// Tells that the hub has changes: first at once, and then whenever there are more. It ends when the connection is lost.
    func events() -> AsyncThrowingStream<SyncCursor, any Error>
}

/// A question of a device for changes of its hub.
public struct SyncPullRequest: Hashable, Sendable, Codable {
    /// The origin of the device.
    public let origin: String
    /// The version of the device's tables.
    public let version: Int
    /// The position up to which the device has the changes of the hub; `nil` for a new device.
    public let cursor: SyncCursor?
    /// The number of bytes that the changes of the answer should not exceed.
    public let byteLimit: Int

    /// A question of a device.
    public init(origin: String, version: Int, cursor: SyncCursor?, byteLimit: Int) {
        self.origin = origin
        self.version = version
        self.cursor = cursor
        self.byteLimit = byteLimit
    }
}

/// A question of a device that begins for rows of its hub.
public struct SyncRowsRequest: Hashable, Sendable, Codable {
    /// The origin of the device.
    public let origin: String
    /// The version of the device's tables.
    public let version: Int
    /// The position of the hub as of which the rows are read: that of the answer which told the device to begin.
    public let cursor: SyncCursor
    /// The table.
    public let table: String
    /// The key after which the rows begin: `SyncRows.next`; `nil` for the first rows.
    public let key: Data?
    /// The number of bytes that the rows of the answer should not exceed.
    public let byteLimit: Int

    /// A question of a device that begins.
    public init(origin: String, version: Int, cursor: SyncCursor, table: String, key: Data?, byteLimit: Int) {
        self.origin = origin
        self.version = version
        self.cursor = cursor
        self.table = table
        self.key = key
        self.byteLimit = byteLimit
    }
}

/// Changes of a hub for a device.
public struct SyncPage: Hashable, Sendable, Codable {
    /// The changes; `SyncLog.start(of:on:)` for a device that begins.
    public let batch: SyncBatch
    /// Whether more changes follow.
    public let hasMore: Bool
    /// Whether the device must begin with the rows of the hub: it is new, or the hub does not have the log after its position any more.
    public let begins: Bool
    /// For a device that begins: the number of its last change that the hub has.
    public let known: Int64

    /// An answer of a hub.
    public init(batch: SyncBatch, hasMore: Bool, begins: Bool = false, known: Int64 = 0) {
        self.batch = batch
        self.hasMore = hasMore
        self.begins = begins
        self.known = known
    }
}

/// The reason why a hub does not answer a device. Asking again does not help before something else has changed.
public enum SyncRefusal: Error, Hashable, Sendable, Codable {
    /// The tables of the hub have another version than those of the device.
    case version(hub: Int)
    /// The origin belongs to another principal.
    case origin
    /// The hub does not have the changes of the device after this number, which it once had: its file was restored.
    case missing(after: Int64)
    /// The hub knows other changes under the numbers of the batch: the file of the device was restored or copied.
    case reused
    /// The batch is damaged, or does not fit the tables of the hub.
    case batch(String)
}
