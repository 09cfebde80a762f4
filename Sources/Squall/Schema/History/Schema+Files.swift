#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Schema {
    /// Reads the history of a schema from the `.sql` files of a folder. Each file is one version, and its name begins with
    /// the number of the version: `001_cars.sql`, `002_owners.sql`.
    ///
    ///     let schema = try Schema(files: URL(filePath: "Migrations"))
    ///     try await database.migrate(schema)
    ///
    /// A file is a script of any number of statements without `BEGIN` and `COMMIT`, because a version is one transaction. If
    /// it contains `DROP TABLE`, foreign keys are off while it runs, and are checked afterwards. That is how a script
    /// rebuilds a table.
    ///
    /// The checksum of a version depends on the content of its file, comments included, but not on the rest of the name and
    /// not on the kind of line endings. `1_cars.SQL` is a version too. Hidden files, files with other endings and subfolders
    /// are ignored.
    ///
    /// - Parameters:
    ///   - name: The name of the schema in the table `squall_versions`. It must not change once files have been migrated.
    ///   - folder: The folder. All files are read now.
    /// - Throws: ``SchemaError/invalid(_:)`` for a file whose name does not begin with a number from 1 to 9,223,372,036,854,775,807, and
    ///   for two files with one number; ``ScriptFileError`` for a file that cannot be read, is not valid UTF-8, or has a NUL
    ///   character; the error of the system if the folder cannot be read.
    public init(_ name: String = "main", files folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { Identifier(String($0.suffix(4))) == ".sql" && !$0.hasPrefix(".") }.map {
                folder.appendingPathComponent($0)
            }
        try self.init(name, files: files)
    }

    /// Reads the history of a schema from files, for instance from those of a bundle.
    /// See ``init(_:files:)-(_,URL)`` for details.
    ///
    ///     let files = Bundle.module.urls(forResourcesWithExtension: "sql", subdirectory: nil)
    ///     let schema = try Schema(files: files ?? [])
    ///
    /// - Parameters:
    ///   - name: The name of the schema in the table `squall_versions`.
    ///   - files: The files, in any order.
    /// - Throws: ``SchemaError/invalid(_:)`` for a file whose name does not begin with a number from 1 to 9,223,372,036,854,775,807, and
    ///   for two files with one number; ``ScriptFileError`` for a file that cannot be read, is not valid UTF-8, or has a NUL
    ///   character.
    public init(_ name: String = "main", files: [URL]) throws {
        var reasons: [String] = []
        var numbered: [Int: URL] = [:]
        for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
            let title = file.lastPathComponent
            guard let number = Self.number(of: title) else {
                reasons.append("the name of \(title) does not begin with the number of its version, as in 001_cars.sql")
                continue
            }
            if let other = numbered.updateValue(file, forKey: number) {
                reasons.append("\(other.lastPathComponent) and \(title) have the same number")
            }
        }
        guard reasons.isEmpty else { throw SchemaError.invalid(reasons) }
        let versions = try numbered.map { number, file in
            Version(number, actions: [.script(try ScriptFile(file).text, file: file.lastPathComponent)])
        }
        self.init(name, versions)
        try checkNumbers()
    }

    /// Returns the number with which a file name begins; `nil` if there is none, or if it does not fit.
    private static func number(of title: String) -> Int? {
        let digits = title.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0 else { return nil }
        return number
    }
}
