#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// How the conflicts of a changeset were answered: what ``Rebaser`` needs.
public struct Resolutions: Hashable, Sendable, Codable {
    /// The answers as SQLite writes them; empty without a conflict.
    public let data: Data

    /// Answers that were stored or received.
    public init(_ data: Data) {
        self.data = data
    }

    /// Whether there was no conflict.
    public var isEmpty: Bool { data.isEmpty }

    public init(from decoder: any Decoder) throws {
        data = try decoder.singleValueContainer().decode(Data.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

/// Changes local changes so that they can be applied after others that were applied before them elsewhere.
///
///     // `remote` has been applied over `local`, with answers to their conflicts.
///     let resolutions = try connection.apply(remote) { _ in .omit }
///     let rebased = try Rebaser(resolutions).rebased(local)
public struct Rebaser: Sendable {
    private let resolutions: [Resolutions]

    /// - Parameter resolutions: The answers with which changesets were applied over the local changes, in their order.
    public init(_ resolutions: Resolutions...) {
        self.resolutions = resolutions
    }

    /// - Parameter resolutions: The answers with which changesets were applied over the local changes, in their order.
    public init(_ resolutions: some Sequence<Resolutions>) {
        self.resolutions = Array(resolutions)
    }

    /// Returns local changes as they are after the others. The tables must have had the same columns in both.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for damaged bytes; `SQLITE_SCHEMA` (17) if a table has other columns or another
    ///   primary key in the answers; `SQLITE_ERROR` (1) for a patchset, and for answers to one.
    public func rebased(_ local: Changeset) throws -> Changeset {
        try Changeset.checkSessions()
        try checkTables(of: local)
        var rebaser: OpaquePointer?
        try Changeset.check(sqlite3rebaser_create(&rebaser))
        defer { sqlite3rebaser_delete(rebaser) }
        for answers in resolutions where !answers.isEmpty {
            try answers.data.withChangesetBytes(isChecked: true) {
                try Changeset.check(sqlite3rebaser_configure(rebaser, $1, $0))
            }
        }
        return try local.withBytes { bytes, count in
            var (rebased, rebasedCount): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
            try Changeset.check(sqlite3rebaser_rebase(rebaser, count, bytes, &rebasedCount, &rebased))
            return local.made(Data(takingChangeset: rebased, count: rebasedCount))
        }
    }

    /// Checks all bytes, and that each table has the same columns everywhere. SQLite does not compare them, and reads beyond the values
    /// of the table that has fewer.
    private func checkTables(of local: Changeset) throws {
        var keyPositions: [Identifier: [UInt8]] = [:]
        for data in resolutions.map(\.data) + [local.data] {
            try data.forEachTable { header in
                if header.isPatchset { throw SQLiteError(ChangesetProblem.mixedKinds) }
                let known = keyPositions.updateValue(header.keyPositions, forKey: Identifier(header.table))
                if known ?? header.keyPositions != header.keyPositions {
                    throw SQLiteError(ChangesetProblem.differentTables)
                }
            }
        }
    }
}
