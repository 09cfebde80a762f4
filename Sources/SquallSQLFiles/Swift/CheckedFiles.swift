/// The SQL files of a module, with their queries checked.
public struct CheckedFiles: Sendable {
    /// The paths of the files with queries, as they were given.
    let queryFiles: [String]
    let queries: [CheckedQuery]
    let catalog: Catalog
    /// The version of the SQLite that has checked the queries.
    public let sqliteVersion: String
    /// The access that the settings ask for; `nil` if they do not.
    var access: Access?
    /// The warnings and notes.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// The number of queries.
    public var queryCount: Int { queries.count }

    /// Returns whether a path below the folder of the SQL files is that of a file with queries, and not of one with the schema.
    public static func hasQueries(_ path: String) -> Bool { path.hasSuffix(".sql") && !path.hasPrefix("schema/") }
}

extension CheckedFiles {
    /// Writes the queries as Swift.
    ///
    /// - Parameters:
    ///   - folder: The folder of the SQL files, which the names of the Swift files leave out.
    ///   - access: The access of the declarations; `nil` for that of the settings.
    /// - Throws: ``DiagnosticsError`` for names that cannot be declared beside others.
    public func swift(below folder: String, access: Access? = nil) throws -> GeneratedSources {
        try GeneratedSources(
            queries, of: queryFiles, below: folder, catalog: catalog, sqliteVersion: sqliteVersion,
            access: access ?? self.access ?? .internal)
    }
}
