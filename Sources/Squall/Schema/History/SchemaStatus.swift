#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The versions of a schema that a file has run, and those that it has yet to run.
public struct SchemaStatus: Hashable, Sendable {
    /// A version that the file has run.
    public struct Applied: Hashable, Sendable {
        /// The number of the version.
        public let version: Int
        /// The time at which the version was run; `nil` if another library ran it.
        public let date: Date?
        /// Whether the steps of the version were changed after the file ran it.
        public let isEdited: Bool
    }

    /// The version of the file; 0 for a new file.
    public let version: Int
    /// The latest version of the schema.
    public let latest: Int
    /// The versions that the file has run, in ascending order of their numbers.
    public let applied: [Applied]
    /// The versions above the file's version. `migrate` runs them.
    public let pending: [Int]
    /// The versions below the file's version that the file never ran. `migrate` throws ``SchemaError/skippedVersions(_:)``,
    /// or runs them with ``MigrationOptions/runSkippedVersions``.
    public let skipped: [Int]

    /// Whether the file has run the latest version and every one before it.
    public var isUpToDate: Bool { version == latest && skipped.isEmpty }
}

extension Schema {
    /// Returns the versions that a file has run, and those that it has yet to run. Only reads.
    ///
    /// - Throws: ``SchemaError/invalid(_:)`` for version numbers below 1, repeated, or too large;
    ///   ``SchemaError/damagedHistory(_:)`` if the history table is a view or a virtual table, or has triggers;
    ///   ``SQLiteError`` if the file cannot be read.
    public func status(of connection: Connection) throws -> SchemaStatus {
        try checkNumbers()
        let history = try SchemaHistory(name, on: connection)
        let applied = history.records.sorted { $0.key < $1.key }.map { number, record in
            SchemaStatus.Applied(
                version: number, date: record.date.flatMap { bindingDateFormatter.date(from: $0) },
                isEdited: isEdited(number, record)
            )
        }
        let pending = versions.map(\.number).filter { $0 > history.version }
        return SchemaStatus(
            version: history.version, latest: latestVersion, applied: applied, pending: pending,
            skipped: history.skipped(of: versions)
        )
    }

    func isEdited(_ number: Int, _ record: SchemaHistory.Record) -> Bool {
        guard let recorded = record.checksum, let checksum = checksums[number] else { return false }
        return recorded != checksum
    }
}
