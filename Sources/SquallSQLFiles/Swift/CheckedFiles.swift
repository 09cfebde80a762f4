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
