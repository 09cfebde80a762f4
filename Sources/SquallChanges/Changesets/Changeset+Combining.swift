#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

extension Changeset {
    /// Returns the changes that take these back: applied after them, they leave every row as it was.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for a patchset, which does not have the old values, and for bytes that are no
    ///   changeset.
    public func inverted() throws -> Changeset {
        try Self.checkSessions()
        if isPatchset { throw SQLiteError(ChangesetProblem.patchsetInverted) }
        return try withBytes { bytes, count in
            var (inverted, invertedCount): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
            try Self.check(sqlite3changeset_invert(count, bytes, &invertedCount, &inverted))
            return made(Data(takingChangeset: inverted, count: invertedCount))
        }
    }

    /// Returns these changes and others after them as one: a row that both change has one change.
    ///
    /// - Throws: `SQLiteError`: `SQLITE_ERROR` (1) for a changeset with a patchset; `SQLITE_SCHEMA` (17) if a table has other columns or
    ///   another primary key in both; `SQLITE_CORRUPT` (11) for bytes that are not a changeset.
    public func appending(_ others: Changeset...) throws -> Changeset {
        try Changeset(combining: [self] + others)
    }

    /// Combines changesets that were made one after the other.
    ///
    /// - Throws: As ``appending(_:)``.
    public init(combining changesets: some Sequence<Changeset>) throws {
        try Self.checkSessions()
        var group: OpaquePointer?
        try Self.check(sqlite3changegroup_new(&group))
        defer { sqlite3changegroup_delete(group) }
        var names: [Identifier: [String]] = [:]
        var isPatchset: Bool?
        for changeset in changesets where !changeset.isEmpty {
            if isPatchset ?? changeset.isPatchset != changeset.isPatchset {
                throw SQLiteError(ChangesetProblem.mixedKinds)
            }
            isPatchset = changeset.isPatchset
            try changeset.withBytes { try Self.check(sqlite3changegroup_add(group, $1, $0)) }
            names.merge(changeset.columnNames) { $1 }
        }
        var (combined, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        try Self.check(sqlite3changegroup_output(group, &count, &combined))
        self.init(trusted: Data(takingChangeset: combined, count: count))
        columnNames = names
    }

    /// Returns a changeset of the same tables.
    func made(_ data: Data) -> Changeset {
        var made = Changeset(trusted: data)
        made.columnNames = columnNames
        return made
    }
}
