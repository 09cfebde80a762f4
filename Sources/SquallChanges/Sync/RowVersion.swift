#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// A version of a row, as peers exchange it. Versions of a row have one order in all replicas, and the greatest wins: merging is
/// taking the maximum, so that order, repetition and detours of batches do not matter.
struct RowVersion {
    /// The row, or its key if it was deleted.
    let change: SyncChange
    /// The greatest value that the column of the last writer has had in the versions that this one has replaced.
    let stamp: BindingValue
    /// The number of versions with this stamp that this one has replaced.
    let revision: Int64
    /// The encoded change.
    let data: Data

    init(_ change: SyncChange, stamp: BindingValue, revision: Int64) {
        self.init(change, stamp: stamp, revision: revision, data: [change].changesetData)
    }

    private init(_ change: SyncChange, stamp: BindingValue, revision: Int64, data: Data) {
        self.change = change
        self.stamp = stamp
        self.revision = revision
        self.data = data
    }

    init(_ entry: SyncBatch.Entry, changes: [SyncChange]) throws {
        guard changes.count == 1, changes[0].operation != .update else { throw SyncReader.damagedError }
        var change = changes[0]
        // Only the key of a deleted row is known, and the values of the other columns are NULL.
        if change.operation == .delete { change.old = SyncChange.tombstone(change.old ?? [], change.isKey) }
        self.init(change, stamp: entry.stamp, revision: entry.number)
    }

    /// The version that a replica writes over another one. It is greater, whatever value its column has.
    init(_ change: SyncChange, stamp: BindingValue, over previous: RowVersion?) {
        guard let previous, !SyncOrder.isLess(previous.stamp, stamp) else {
            self.init(change, stamp: stamp, revision: 0)
            return
        }
        let revision = previous.revision == .max ? .max : previous.revision + 1
        self.init(change, stamp: previous.stamp, revision: revision)
    }
}

extension RowVersion: Comparable {
    static func == (left: RowVersion, right: RowVersion) -> Bool { !(left < right) && !(right < left) }

    static func < (left: RowVersion, right: RowVersion) -> Bool {
        if SyncOrder.isLess(left.stamp, right.stamp) { return true }
        if SyncOrder.isLess(right.stamp, left.stamp) { return false }
        if left.revision != right.revision { return left.revision < right.revision }
        let (one, other) = (left.change.origin.utf8, right.change.origin.utf8)
        if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
        // Two databases with one origin, which must still become equal.
        return left.data.lexicographicallyPrecedes(right.data)
    }
}

extension SyncChange {
    static func tombstone(_ row: [BindingValue], _ isKey: [Bool]) -> [BindingValue] {
        zip(row, isKey).map { $1 ? $0 : .null }
    }
}

/// SQLite's order of values: NULL, numbers, TEXT, BLOB.
enum SyncOrder {
    static func isLess(_ left: BindingValue, _ right: BindingValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.integer(let left), .real(let right)): compare(left, right) < 0
        case (.real(let left), .integer(let right)): compare(right, left) > 0
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.text(let left), .malformedText(let right)): left.utf8.lexicographicallyPrecedes(right)
        case (.malformedText(let left), .text(let right)): left.lexicographicallyPrecedes(right.utf8)
        case (.blob(let left), .blob(let right)), (.malformedText(let left), .malformedText(let right)):
            left.lexicographicallyPrecedes(right)
        default: rank(left) < rank(right)
        }
    }

    private static func rank(_ value: BindingValue) -> Int {
        switch value {
        case .null: 0
        case .integer, .real: 1
        case .text, .malformedText: 2
        case .blob: 3
        }
    }

    /// Compares exactly: a conversion of the integer to `Double` would make different integers equal to one REAL.
    private static func compare(_ integer: Int64, _ real: Double) -> Int {
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 { return 1 }
        let whole = Int64(real.rounded(.down))
        if integer != whole { return integer < whole ? -1 : 1 }
        return Double(whole) < real ? -1 : 0
    }
}
