#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What versions of a schema a file has had, and what is to come.
public struct SchemaStatus: Hashable, Sendable {
    /// A version that the file has had.
    public struct Applied: Hashable, Sendable {
        public let version: Int
        /// When; `nil` when Squall did not do it.
        public let date: Date?
        /// Whether what it does was changed in the program since.
        public let isEdited: Bool
    }

    /// The version of the file; 0 for a new one.
    public let version: Int
    /// The last version of the schema.
    public let latest: Int
    public let applied: [Applied]
    /// The versions above that of the file, which `migrate` runs.
    public let pending: [Int]
    /// The versions below that of the file that it has not had: `migrate` throws ``SchemaError/skippedVersions(_:)``, or runs
    /// them with ``MigrationOptions/runSkippedVersions``.
    public let skipped: [Int]

    /// Whether the file has the last version, and every one before it.
    public var isUpToDate: Bool { version == latest && skipped.isEmpty }
}

extension Schema {
    /// What versions a file has had, and what is to come. Only reads.
    ///
    /// - Throws: ``SQLiteError``.
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
