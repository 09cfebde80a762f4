/// The Swift files for the SQL files of a module: one for each file of queries, and one for the schema and the row types of
/// several queries.
public struct GeneratedSources: Sendable {
    /// The files, in the order of the SQL files.
    public let files: [GeneratedFile]

    /// Writes checked queries as Swift.
    ///
    /// - Parameters:
    ///   - queries: The queries of all files.
    ///   - paths: The paths of the files with queries, as they were given. Each becomes a Swift file, also without queries.
    ///   - folder: The folder of the SQL files, which the names of the Swift files leave out.
    ///   - catalog: The schema.
    ///   - sqliteVersion: The version of the SQLite that has checked the queries.
    ///   - access: The access of the declarations.
    /// - Throws: ``DiagnosticsError`` for names that cannot be declared beside others.
    init(
        _ queries: [CheckedQuery], of paths: [String], below folder: String, catalog: Catalog, sqliteVersion: String,
        access: Access
    ) throws {
        let names = GeneratedNames(queries)
        let shared = names.rows.filter { $0.queries.count > 1 }
        var diagnostics = names.diagnostics
        var enums = UniqueNames()
        var fileNames: [String: String] = [:]
        var files = paths.map { path in
            let relative = Self.path(path, below: folder)
            let name = GeneratedFile.name(of: relative)
            if let other = fileNames.updateValue(path, forKey: name.lowercased()) {
                let place = SourceLocation(file: path, line: 1, column: 1)
                diagnostics.append(
                    Diagnostic(
                        .error, "the Swift file of '\(other)' has the same name: rename one of the files", at: place))
            }
            let stem = relative.split(separator: "/").last.map { $0.hasSuffix(".sql") ? $0.dropLast(4) : $0 } ?? ""
            var type = enums.unique(SwiftName.type(String(stem), keepingEmoji: true, orElse: "Queries") + "SQL")
            while names.isTaken(type) { type = enums.unique(type) }
            let source = QueryFileSource(
                queries: names.queries.filter { $0.declaration.source.path == path },
                rows: names.rows.filter { $0.queries.count == 1 && $0.queries[0].source.path == path },
                path: relative, statements: type, access: access)
            return GeneratedFile(name: name, origin: " from \(relative)", source.sections)
        }
        let schema = SchemaSource(uses: queries.flatMap(\.uses), catalog: catalog, sqliteVersion: sqliteVersion)
        let rows = shared.map { RowSource(row: $0, access: access).lines }
        files.append(GeneratedFile(name: GeneratedFile.schemaName, origin: "", [schema.lines] + rows))
        guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
        self.files = files
    }

    /// Returns the path of a file without that of its folder.
    private static func path(_ path: String, below folder: String) -> String {
        let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}
