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
        try self.init(SQLFolder(folder), deadline: deadline)
    }

    /// Checks SQL files of which the paths are given, as a build system does.
    ///
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    public init(folder: String, files: [String], deadline: Duration = .seconds(10)) throws {
        try self.init(SQLFolder(folder, files: files), deadline: deadline)
    }

    private init(_ folder: SQLFolder, deadline: Duration) throws {
        let files = folder.queryFiles.map { QueryFile($0) }
        var diagnostics = folder.diagnostics + files.flatMap(\.diagnostics)
        try Self.throwErrors(folder.diagnostics)
        let run = try SchemaRun(
            folder.history, functions: files.flatMap(\.functions), collations: files.flatMap(\.collations),
            extensions: folder.configuration.extensions.map { $0.hasPrefix("/") ? $0 : "\(folder.path)/\($0)" },
            deadline: deadline)
        try Self.throwErrors(run.diagnostics)
        let declarations = files.flatMap(\.queries)
        diagnostics += Self.duplicates(declarations)
        let checker = try QueryChecker(run.connection, run.catalog) { run.changes.hint(forMissing: $0) }
        let (queries, found) = try checker.check(declarations)
        diagnostics += found
        try Self.throwErrors(diagnostics)
        let version: String = try run.connection.query("SELECT sqlite_version()")
        if let target = folder.configuration.sqlite, target != version {
            let place = SourceLocation.start(of: "\(folder.path)/squall.json")
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

    /// Reports queries with the name of another one.
    private static func duplicates(_ declarations: [QueryDeclaration]) -> [Diagnostic] {
        var first: [String: SourceLocation] = [:]
        return declarations.compactMap { declaration in
            guard let other = first[declaration.name] else {
                first[declaration.name] = declaration.location
                return nil
            }
            return Diagnostic(.error, "there is another query \(declaration.name): \(other)", at: declaration.location)
        }
    }
}
