#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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

    /// Returns local changes as they are after the others.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CORRUPT` (11) for damaged bytes; `SQLITE_ERROR` (1) for a patchset.
    public func rebased(_ local: Changeset) throws -> Changeset {
        try Changeset.checkSessions()
        if local.isPatchset { throw SQLiteError(.changeset(.mixedKinds), code: .error) }
        var rebaser: OpaquePointer?
        try Changeset.check(sqlite3rebaser_create(&rebaser))
        defer { sqlite3rebaser_delete(rebaser) }
        for answers in resolutions where !answers.isEmpty {
            try answers.data.withChangesetBytes(isChecked: false) {
                try Changeset.check(sqlite3rebaser_configure(rebaser, $1, $0))
            }
        }
        return try local.withBytes { bytes, count in
            var (rebased, rebasedCount): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
            try Changeset.check(sqlite3rebaser_rebase(rebaser, count, bytes, &rebasedCount, &rebased))
            return local.made(Data(takingChangeset: rebased, count: rebasedCount))
        }
    }
}
