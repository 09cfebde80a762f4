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
