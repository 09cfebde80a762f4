extension CheckedFiles {
    /// Checks the SQL files of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder: its subfolder `schema` has the history of the schema, the other `.sql` files have queries.
    ///   - deadline: The maximum duration of the schema files.
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    public init(folder: String, deadline: Duration = .seconds(10)) throws {
        self = try FileCheck(SQLFolder(path: folder), deadline: deadline).files
    }

    /// Checks SQL files of which the paths are given, as a build system does.
    ///
    /// - Throws: ``DiagnosticsError``; ``SQLiteError`` for an extension that cannot be loaded.
    public init(folder: String, files: [String], deadline: Duration = .seconds(10)) throws {
        let folder = SQLFolder(files: files, below: folder.isEmpty ? nil : folder)
        self = try FileCheck(folder, deadline: deadline).files
    }
}
