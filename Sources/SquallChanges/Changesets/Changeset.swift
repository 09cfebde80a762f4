#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// Changes of rows that a connection has recorded, in the format of SQLite's session extension.
///
///     let changes = try connection.recordChanges(in: "cars", "orders") {
///         try $0.run("UPDATE cars SET price = price + 1")
///     }
///     try other.apply(changes)
///
/// A changeset has, for each row that was changed, the values before and after all changes together. It can be inverted, combined
/// with others and applied to another database with the same tables. A patchset is smaller: it has only the primary keys and the new
/// values, so that it cannot be inverted, and its conflicts are found less exactly.
///
/// Two changesets are equal if their bytes are. Its `Codable` form is its bytes.
public struct Changeset: Sendable {
    /// The changes as SQLite writes them; empty without a change.
    public let data: Data

    /// The names of the columns of each table, where they are known.
    var columnNames: [Identifier: [String]] = [:]

    /// Whether SQLite has made the bytes, so that they need not be checked again.
    let isChecked: Bool

    /// A changeset that was stored or received. Its bytes are checked when they are used.
    public init(_ data: Data) {
        self.data = data
        isChecked = false
    }

    init(made data: Data) {
        self.data = data
        isChecked = true
    }

    /// Whether the changeset has no changes.
    public var isEmpty: Bool { data.isEmpty }

    /// Whether the changes are a patchset.
    public var isPatchset: Bool { data.first == UInt8(ascii: "P") }

    /// The changes.
    ///
    /// The columns have names if the changeset was recorded here; ``elements(in:database:)`` names those of any changeset.
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
    /// - Throws: As ``elements``; the error of the closure.
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
