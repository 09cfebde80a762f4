#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

// # SquallChanges
//
// Changes of rows as values: recorded, applied elsewhere, undone, and synchronised, by SQLite's session extension.
//
//     let changes = try connection.recordChanges(in: "cars") {
//         try $0.run("DELETE FROM cars WHERE price < 1000")
//     }
//     for change in try changes.elements { print(change) }
//     try connection.apply(changes.inverted())
//
// A `Changeset` is bytes. `Recording` makes it: a `ChangeRecorder` has a session of SQLite, and `SessionList` owns the
// sessions of a connection. `Applying` has `ChangesetApplication`. `Undo` records each transaction of a database as a
// step. `Sync` keeps a log in tables, and merges the logs of others.
//
// How changes are applied:
// 1. `apply` begins an IMMEDIATE transaction, or a savepoint inside a transaction.
// 2. `ChangesetScanner` reads the bytes. Damaged ones, and changes of tables that do not fit, are refused before SQLite
//    writes.
// 3. Foreign keys are turned off if the work of their actions may be among the changes.
// 4. SQLite applies the changes, and calls `resolve` for each conflict.
// 5. The rows are compared with the changes (`WrittenRows`), unless triggers of the program run. Foreign keys that were
//    off are checked (`ForeignKeyCheck`).
//
// Invariants: All changes of a call are applied, or none. Only tables with a declared primary key are recorded. A
// session keeps the original values of each changed row, and compares them with the current ones when the changeset is
// made. The sessions are deleted before the connection closes. A step of `UndoHistory` is undone completely, or a
// conflict is thrown. The entries of a `SyncLog` are written in the transaction of the rows. A `SyncLog` has no
// connection: each method takes one.

/// Changes of rows that a connection has recorded, in the format of SQLite's session extension.
///
///     let changes = try connection.recordChanges(in: "cars", "orders") {
///         try $0.run("UPDATE cars SET price = price + 1")
///     }
///     try other.apply(changes)
///
/// A changeset has, for each row that was changed, the values before and after all changes together. It can be inverted, combined
/// with others and applied to another database with the same tables. A patchset is smaller: it has only the primary keys and the new
/// values. It cannot be inverted, and fewer conflicts are found.
///
/// Two changesets are equal if their bytes are; the names of the columns do not count. Only the bytes are encoded, so that a decoded
/// changeset has no names, and its bytes are checked again.
public struct Changeset: Sendable {
    /// The changes as SQLite writes them; empty without a change.
    public let data: Data

    /// The names of the columns of each table, where they are known.
    var columnNames: [Identifier: [String]] = [:]

    /// Whether the bytes come from SQLite or from this module, and need no check.
    let isChecked: Bool

    /// Creates a changeset from bytes that were stored or received. They are checked at each use.
    public init(_ data: Data) {
        self.data = data
        isChecked = false
    }

    /// Creates a changeset from bytes that need no check.
    init(trusted data: Data) {
        self.data = data
        isChecked = true
    }

    /// Whether the changeset has no changes.
    public var isEmpty: Bool { data.isEmpty }

    /// Whether the changes are a patchset.
    public var isPatchset: Bool { data.first == UInt8(ascii: "P") }

    /// The changes, which are read from the bytes at each access.
    ///
    /// The columns have names if this value was recorded by a connection, and not decoded.
    ///
    /// - Throws: `SQLiteError`, `SQLITE_CORRUPT` (11), if the bytes are not a changeset.
    public var elements: [Change] {
        get throws {
            var elements: [Change] = []
            try forEach { elements.append($0) }
            return elements
        }
    }

    /// Calls a closure with one change after the other, without keeping them.
    ///
    /// - Throws: `SQLiteError`, `SQLITE_CORRUPT` (11), if the bytes are not a changeset; the error of the closure.
    public func forEach(_ body: (Change) throws -> Void) throws {
        try withIterator { iterator in
            while try iterator.next() { try body(try iterator.change(naming: columnNames)) }
        }
    }

    /// Calls a closure with a new iterator.
    func withIterator<Result>(
        isInverted: Bool = false, _ body: (borrowing ChangesetIterator) throws -> Result
    ) throws -> Result {
        try withBytes { try body(try ChangesetIterator($0, $1, isInverted: isInverted)) }
    }

    /// Calls a closure with the bytes as SQLite's functions take them.
    func withBytes<Result>(_ body: (UnsafeMutableRawPointer?, Int32) throws -> Result) throws -> Result {
        try data.withChangesetBytes(isChecked: isChecked, body)
    }
}

extension Changeset: Hashable {
    public static func == (left: Changeset, right: Changeset) -> Bool { left.data == right.data }

    public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension Changeset: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Data.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

extension Changeset: CustomStringConvertible {
    public var description: String {
        let kind = isPatchset ? "patchset" : "changeset"
        guard let elements = try? elements else { return "a damaged \(kind) of \(data.count) bytes" }
        return "\(kind): " + (elements.isEmpty ? "no changes" : elements.map(\.description).joined(separator: "; "))
    }
}
