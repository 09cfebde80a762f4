import Squall

// # SquallSQLFiles
//
// SQL files become Swift: the schema runs in memory, the queries are checked on it, and functions are written for them.
//
//     let checked = try CheckedFiles(folder: "Sources/App/SQL")
//     for diagnostic in checked.diagnostics { print(diagnostic) }
//     let sources = try checked.swift(below: "Sources/App/SQL")
//     try GeneratedFolder("Generated").write(sources.files)
//
// `Model` has the values that pass between the steps: `SourceText`, `QueryDeclaration`, `Catalog`, `CheckedQuery`,
// `Diagnostic`. Each other folder is a step. `squall-sql` and the plugin call `GeneratorCommand`.
//
// A folder is checked so, by `FileCheck`:
// 1. `Files`: `SQLFolder` sorts the files into history, queries and settings. `QueryFile` reads the queries with
//    comments.
// 2. `Schema`: `SchemaRun` runs the history on a database in memory. `CatalogReader` reads its tables into a `Catalog`.
// 3. `Checking`: `StatementCompiler` compiles each statement with SQLite, which reports the columns and the uses.
// 4. `Syntax` and `Analysis`: `Parser` reads the statement, and `Analysis` finds types and proves what is not NULL.
// 5. `ParameterResolution` and `ResultResolution` join both to a `CheckedQuery`, or report what is not certain.
// 6. `Swift`: `GeneratedSources` writes a file for each file of queries, and one for the schema. `Plans` reads plans.
//
// Invariants: Nothing is guessed: a type that is not certain must be declared. What the analysis finds is dropped if
// SQLite reports other columns. Queries are compiled and never run. Schema files are not trusted: `SchemaGuard` denies
// what reaches outside the database, and time and memory are limited. An error has its place in a file, and nothing is
// written after one. Only files whose text differs are written.

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
        var diagnostics = folder.diagnostics + queryFiles.diagnostics
        try Self.throwErrors(folder.diagnostics)
        let run = try SchemaRun(
            folder.history, functions: queryFiles.functions, collations: queryFiles.collations,
            extensions: folder.extensions, deadline: deadline)
        try Self.throwErrors(run.diagnostics)
        let checker = try QueryChecker(run.connection, run.catalog, run.changes)
        let (queries, found) = try checker.check(queryFiles.queries)
        diagnostics += found
        try Self.throwErrors(diagnostics)
        let version: String = try run.connection.query("SELECT sqlite_version()")
        if let target = folder.configuration.sqlite, target != version, let settings = folder.settingsPath {
            let place = SourceLocation.start(of: settings)
            diagnostics.append(
                Diagnostic(.note, "checked by SQLite \(version); the program will use \(target)", at: place))
        }
        connection = run.connection
        files = CheckedFiles(
            queryFiles: folder.queryFiles.map(\.path), queries: queries, catalog: run.catalog, sqliteVersion: version,
            access: folder.configuration.access, diagnostics: diagnostics)
    }

    /// Throws if there are errors among diagnostics, all of them in the order of their places.
    private static func throwErrors(_ diagnostics: [Diagnostic]) throws(DiagnosticsError) {
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        throw DiagnosticsError(diagnostics.sorted { $0.location < $1.location })
    }
}
