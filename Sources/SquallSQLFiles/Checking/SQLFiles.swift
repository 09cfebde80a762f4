import Foundation
import Squall

extension CheckedFiles {
    /// Checks the SQL files of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder: its subfolder `schema` has the history of the schema, the other `.sql` files have queries.
    ///   - deadline: The maximum duration of the schema files.
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    public init(folder: String, deadline: Duration = .seconds(10)) throws {
        try self.init(SQLFolder(path: folder), deadline: deadline)
    }

    /// Checks SQL files of which the paths are given, as a build system does.
    ///
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    public init(folder: String, files: [String], deadline: Duration = .seconds(10)) throws {
        try self.init(SQLFolder(files: files, below: folder.isEmpty ? nil : folder), deadline: deadline)
    }

    private init(_ folder: SQLFolder, deadline: Duration) throws {
        let files = QueryFiles(folder.queryFiles)
        var diagnostics = folder.diagnostics + files.diagnostics
        try Self.throwErrors(folder.diagnostics)
        let run = try SchemaRun(
            folder.history, functions: files.functions, collations: files.collations, extensions: folder.extensions,
            deadline: deadline)
        try Self.throwErrors(run.diagnostics)
        let checker = try QueryChecker(run.connection, run.catalog) { run.changes.hint(forMissing: $0) }
        let (queries, found) = try checker.check(files.queries)
        diagnostics += found
        try Self.throwErrors(diagnostics)
        let version: String = try run.connection.query("SELECT sqlite_version()")
        if let target = folder.configuration.sqlite, target != version, let settings = folder.settingsPath {
            let place = SourceLocation.start(of: settings)
            diagnostics.append(
                Diagnostic(.note, "checked by SQLite \(version); the program will use \(target)", at: place))
        }
        self.init(
            queryFiles: folder.queryFiles.map(\.path), queries: queries, catalog: run.catalog, sqliteVersion: version,
            access: folder.configuration.access, diagnostics: diagnostics)
    }

    /// Throws if there are errors among diagnostics, all of them in the order of their places.
    private static func throwErrors(_ diagnostics: [Diagnostic]) throws(DiagnosticsError) {
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        throw DiagnosticsError(diagnostics.sorted { $0.location < $1.location })
    }
}
