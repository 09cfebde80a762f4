import Foundation
import PackagePlugin

/// The folder of the SQL files of a target.
///
///     SQL/schema/001_cars.sql     the schema
///     SQL/cars.sql                queries
///     SQL/squall.json             settings
struct SQLFolder {
    private let url: URL
    /// The SQL files and the settings, in the order of their paths.
    private let files: [URL]

    init(_ url: URL, files: [URL]) {
        self.url = url
        self.files = files.filter { $0.pathExtension == "sql" || $0.lastPathComponent == "squall.json" }
            .sorted { $0.path < $1.path }
    }

    /// Returns the files in a folder and its subfolders.
    ///
    /// The files that SwiftPM lists do not include those in a folder that is a resource.
    static func files(in folder: URL) -> [URL] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.map { folder.appending(path: $0) }
    }

    /// Returns the command that writes the Swift files; none without SQL files.
    func commands(tool: URL, output: URL) -> [Command] {
        guard files.contains(where: { $0.pathExtension == "sql" }) else { return [] }
        // The names of `GeneratedFile.name(of:)` in SquallSQLFiles.
        let names = files.map { String($0.path.dropFirst(url.path.count)) }
            .map { $0.split(separator: "/") }
            .filter { $0.last?.hasSuffix(".sql") == true && $0.first != "schema" }
            .map { $0.joined(separator: "+") + ".swift" }
        return [
            .buildCommand(
                displayName: "Checking SQL files", executable: tool,
                arguments: ["--output", output.path, "--folder", url.path] + files.map(\.path),
                inputFiles: files, outputFiles: (names + ["SQLSchema.swift"]).map { output.appending(path: $0) })
        ]
    }
}
