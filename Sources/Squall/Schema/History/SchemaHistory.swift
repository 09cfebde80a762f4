#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The versions that a file has run, as it records them.
package struct SchemaHistory {
    struct Record {
        /// `nil` for a version that another library ran.
        let checksum: String?
        let date: String?
    }

    /// The version of the file.
    let version: Int
    let records: [Int: Record]
    /// Whether `PRAGMA user_version` belongs to this schema, and not to an earlier schema of the file.
    private let ownsUserVersion: Bool
    private let hasTable: Bool
    private let schema: String

    package init(_ schema: String, on connection: Connection) throws {
        self.schema = schema
        try connection.checkHistoryTable("squall_versions")
        hasTable = try connection.catalog().has(.table, named: "squall_versions")
        let userVersion = Int(try connection.userVersion)
        guard hasTable else {
            (version, records, ownsUserVersion) = (userVersion, [:], true)
            return
        }
        var records: [Int: Record] = [:]
        try connection.forEach(
            "SELECT version, checksum, applied_at FROM main.squall_versions WHERE schema = \(schema)"
        ) {
            records[try $0.get(0)] = Record(checksum: try $0.get(1), date: try $0.get(2))
        }
        let first: String? = try connection.query("SELECT schema FROM main.squall_versions ORDER BY rowid LIMIT 1")
        self.records = records
        ownsUserVersion = first == nil || first == schema
        // A program that uses the file through Squeal may have raised it since.
        version = Swift.max(records.keys.max() ?? 0, ownsUserVersion ? userVersion : 0)
    }

    /// Returns the names of the other schemas in the file.
    func others(on connection: Connection) throws -> [String] {
        guard hasTable else { return [] }
        return try connection.query(
            "SELECT DISTINCT schema FROM main.squall_versions WHERE schema <> \(schema) ORDER BY schema")
    }

    /// Returns the versions that were added to the schema after the file had run a later one.
    func skipped(of versions: [Version]) -> [Int] {
        guard let last = records.keys.max() else { return [] }
        // A version without a checksum was run by another library, as were all versions before it.
        let adopted = records.filter { $0.value.checksum == nil }.keys.max() ?? 0
        return versions.map(\.number).filter { $0 > adopted && $0 < last && records[$0] == nil }
    }

    /// Records a version: `INSERT INTO squall_versions(…)`, `PRAGMA user_version = 2`.
    package func record(_ version: Version, of schema: Schema, with editor: SchemaEditor) throws {
        let checksum = schema.checksums[version.number] ?? version.checksum
        try editor.run(
            """
            CREATE TABLE IF NOT EXISTS main.squall_versions(schema TEXT NOT NULL, version INTEGER NOT NULL, checksum TEXT, \
            applied_at TEXT, PRIMARY KEY(schema, version))
            """
        )
        if ownsUserVersion && self.version > records.keys.max() ?? 0 {
            // Another library, Squeal, has run the versions up to this one.
            try editor.run(
                "INSERT OR IGNORE INTO main.squall_versions VALUES(\(schema.name), \(self.version), NULL, NULL)")
        }
        try editor.run(
            "INSERT INTO main.squall_versions VALUES(\(schema.name), \(version.number), \(checksum), \(Date()))")
        // The PRAGMA has 32 bits, which a timestamp exceeds: it stays as it is then.
        if ownsUserVersion && version.number > self.version && version.number <= Int32.max {
            try editor.run("PRAGMA main.user_version = \(raw: "\(version.number)")")
        }
    }
}

extension Connection {
    /// Checks that recording a version cannot run SQL of the file.
    ///
    /// - Throws: ``SchemaError/damagedHistory(_:)`` if the history table is a view or a virtual table, or has triggers.
    func checkHistoryTable(_ name: String) throws {
        let intruder = try catalog().entries(.trigger, .view, .table, ofTable: name, by: .creation)
            .first { $0.kind != .table || $0.isVirtual }
        guard let intruder else { return }
        throw SchemaError.damagedHistory(
            "\(name) is not a plain table, there is the \(intruder.kind.rawValue) \"\(intruder.name)\"")
    }
}
