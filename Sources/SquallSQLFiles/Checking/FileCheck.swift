import Squall

/// The check of the SQL files of a folder, with the database on which it ran.
struct FileCheck {
    let files: CheckedFiles
    /// The database in memory that has the schema.
    let connection: Connection

    /// Checks the files of a folder.
    ///
    /// - Parameter deadline: The maximum duration of the schema files.
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    init(_ folder: SQLFolder, deadline: Duration) throws {
        let queryFiles = QueryFiles(folder.queryFiles)
        try Self.throwErrors(folder.diagnostics)
        let run = try SchemaRun(
            folder.history, functions: queryFiles.functions, collations: queryFiles.collations,
            extensions: folder.extensions, deadline: deadline)
        try Self.throwErrors(run.diagnostics)
        let checker = try QueryChecker(run.connection, run.catalog, run.changes)
        let (queries, found) = try checker.check(queryFiles.queries)
        var diagnostics = folder.diagnostics + queryFiles.diagnostics + run.diagnostics + found
        try Self.throwErrors(diagnostics)
        let version: String = try run.connection.query("SELECT sqlite_version()")
        if let note = Self.versionNote(folder, version) { diagnostics.append(note) }
        connection = run.connection
        files = CheckedFiles(
            queryFiles: folder.queryFiles.map(\.path), queries: queries, catalog: run.catalog, sqliteVersion: version,
            access: folder.configuration.access, diagnostics: diagnostics)
    }

    /// Returns a note if the settings name another version of SQLite than the one that has checked the files.
    private static func versionNote(_ folder: SQLFolder, _ version: String) -> Diagnostic? {
        guard let target = folder.configuration.sqlite, target != version, let settings = folder.settingsPath else {
            return nil
        }
        let message = "checked by SQLite \(version); the program will use \(target)"
        return Diagnostic(.note, message, at: .start(of: settings))
    }

    /// Throws if there are errors among diagnostics, all of them in the order of their places.
    private static func throwErrors(_ diagnostics: [Diagnostic]) throws(DiagnosticsError) {
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        throw DiagnosticsError(diagnostics.sorted { $0.location < $1.location })
    }
}
