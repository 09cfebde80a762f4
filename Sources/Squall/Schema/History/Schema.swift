// # Schema
//
// Definitions of tables, and the ways to change a file to them: a history of versions, or a plan from a comparison.
//
//     try schema.verify()
//     for sql in try schema.dryRun(connection) { print(sql) }
//     try schema.migrate(connection)
//     let plan = try connection.plan(toMatch: [User.table.definition])
//     try plan.apply(allowing: .columns)
//
// `Definitions` describes tables, and `Parsing` reads them from the SQL of a file. `History` has versions, `Plans` the
// plans, `Comparison` finds how a file differs from definitions, and `Expected` checks at the start of a program.
// Versions and plans change a file by a `SchemaEditor` (`Alteration`).
//
// A migration runs so:
// 1. `Migration` reads the `SchemaHistory` of the file, and chooses the next version.
// 2. It turns foreign keys off if the version rebuilds or drops a table, and begins an IMMEDIATE transaction.
// 3. Inside, it chooses again: another process may have been faster.
// 4. `SchemaEditor.perform(_:)` runs each step: by ALTER TABLE where SQLite can, and otherwise by a rebuild of the
//    table.
// 5. `VersionRun.check` throws for faults that the file did not have before: foreign keys, broken views and triggers.
// 6. `SchemaHistory.record` writes the version to `squall_versions`, and the transaction commits.
//
// Invariants: A version is one transaction, with its record. The SQL of a step can neither begin nor end a transaction.
// The editor logs each statement that it runs, for dry runs and for stores on other machines. Definitions are read from
// the file for each change. The setting of foreign keys is always restored. Go on with `SchemaEditor+Rebuild.swift`.

/// The history of a file's schema, version by version.
///
///     let schema = Schema("contacts") {
///         Version(1) {
///             CreateTable("contacts") {
///                 ColumnDef("id", Int64.self, .primaryKey)
///                 ColumnDef("name", String?.self)
///                 ColumnDef("email", String.self)
///             }
///             CreateIndex("contacts_email", on: "contacts", "email")
///         }
///         Version(2) {
///             Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
///             AlterTable("contacts") {
///                 ChangeColumn("name", to: String.self)
///                 AddColumn("url", String?.self)
///             }
///         }
///     }
///     try schema.migrate(connection)               // true if anything ran
///
/// The table `squall_versions` of a file records its versions. `PRAGMA user_version` is kept in step. A file that has only
/// the pragma, such as one of Squeal's, is adopted at that version.
public struct Schema: Sendable {
    /// The name of the schema in `squall_versions`. A file can have several schemas.
    public let name: String
    /// The versions, in ascending order of their numbers.
    public let versions: [Version]
    let checksums: [Int: String]

    public init(_ name: String, @ListBuilder<Version> versions: () -> [Version]) {
        self.init(name, versions())
    }

    init(_ name: String, _ versions: [Version]) {
        self.name = name
        self.versions = versions.sorted { $0.number < $1.number }
        checksums = Dictionary(self.versions.map { ($0.number, $0.checksum) }) { first, _ in first }
    }

    /// The number of the latest version; 0 for a schema without versions.
    public var latestVersion: Int { versions.last?.number ?? 0 }

    func version(_ number: Int) -> Version? { versions.first { $0.number == number } }

    /// Throws if version numbers are below 1 or repeated.
    func checkNumbers() throws {
        var reasons: [String] = []
        if let first = versions.first, first.number < 1 {
            reasons.append("the schema \"\(name)\" has a version \(first.number): the first one is 1")
        }
        for (version, next) in zip(versions, versions.dropFirst()) where version.number == next.number {
            reasons.append("the schema \"\(name)\" has two versions \(version.number)")
        }
        guard reasons.isEmpty else { throw SchemaError.invalid(reasons) }
    }
}
