import Foundation
import Testing

/// The files of the repository.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct File: CustomTestStringConvertible, Sendable {
        /// The path from the root.
        let path: String
        let text: String

        var testDescription: String { path }

        var lines: [String] { text.components(separatedBy: "\n") }

        /// The text without comments that begin with `//`.
        var code: String { text.replacing(/\/\/.*/, with: "") }
    }

    /// Returns the file at a path from the root.
    static func file(_ path: String) throws -> File {
        File(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }

    /// Returns the files below a folder whose names end so, by path. Folders that begin with a dot are left out.
    static func files(in folder: String = "", _ ending: String) -> [File] {
        let base = folder.isEmpty ? "" : folder + "/"
        let files = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        guard let files else { return [] }
        let start = root.appending(path: folder).standardizedFileURL.path.count + 1
        return files.compactMap { $0 as? URL }.filter { $0.lastPathComponent.hasSuffix(ending) }
            .map { base + $0.standardizedFileURL.path.dropFirst(start) }.sorted()
            .compactMap { try? file($0) }
    }
}
