import Foundation

/// What a file says about the versions that it has had.
struct SchemaHistory {
    struct Record {
        /// `nil` for a version that Squall did not run.
        let checksum: String?
        let date: String?
    }

    /// The version of the file.
    let version: Int
    let records: [Int: Record]
    /// Whether `PRAGMA user_version` is this schema's, and not another one's that was in the file before.
    private let ownsUserVersion: Bool
    private let hasTable: Bool
    private let schema: String

    init(_ schema: String, on connection: Connection) throws {
        self.schema = schema
        hasTable = try connection.tableExists("squall_versions")
        let userVersion = Int(try connection.userVersion)
        guard hasTable else {
            (version, records, ownsUserVersion) = (userVersion, [:], true)
            return
        }
        var records: [Int: Record] = [:]
        try connection.forEach("SELECT version, checksum, applied_at FROM squall_versions WHERE schema = \(schema)") {
            records[try $0.get(0)] = Record(checksum: try $0.get(1), date: try $0.get(2))
        }
        let first: String? = try connection.query("SELECT schema FROM squall_versions ORDER BY rowid LIMIT 1")
        self.records = records
        ownsUserVersion = first == nil || first == schema
        // (A program that uses the same file through Squeal may have gone on.)
        version = Swift.max(records.keys.max() ?? 0, ownsUserVersion ? userVersion : 0)
    }

    /// The other schemas of the file.
    func others(on connection: Connection) throws -> [String] {
        guard hasTable else { return [] }
        return try connection.query(
            "SELECT DISTINCT schema FROM squall_versions WHERE schema <> \(schema) ORDER BY schema")
    }

    /// Records a version: `INSERT INTO squall_versions(…)`, `PRAGMA user_version = 2`.
    func record(_ version: Version, checksum: String, with editor: SchemaEditor) throws {
        // Not ours to look like a version of the user's.
        try editor.run(
            """
            CREATE TABLE IF NOT EXISTS squall_versions(schema TEXT NOT NULL, version INTEGER NOT NULL, checksum TEXT, \
            applied_at TEXT, PRIMARY KEY(schema, version))
            """
        )
        if records.isEmpty && self.version > 0 && ownsUserVersion {
            // What Squeal has done.
            try editor.run("INSERT OR IGNORE INTO squall_versions VALUES(\(schema), \(self.version), NULL, NULL)")
        }
        try editor.run("INSERT INTO squall_versions VALUES(\(schema), \(version.number), \(checksum), \(Date()))")
        if ownsUserVersion { try editor.run("PRAGMA user_version = \(raw: "\(version.number)")") }
    }
}
