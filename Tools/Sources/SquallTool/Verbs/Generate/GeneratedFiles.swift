import Foundation

/// The files that `generate` writes, or compares.
struct GeneratedFiles {
    /// The texts by their paths, in order.
    private let files: [(path: String, text: String)]
    /// The files of a folder that an earlier run generated, and this one does not.
    private let stale: [String]

    /// - Parameter isComplete: Whether the declarations are those of all tables, so that other generated files are stale.
    init(at path: String, _ declarations: Declarations, isComplete: Bool) throws {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard path.hasSuffix("/") || exists && isFolder.boolValue else {
            files = [(path, declarations.file)]
            stale = []
            return
        }
        let folder = URL(fileURLWithPath: path)
        var files = declarations.tables.map { table in
            (folder.appendingPathComponent("\(table.file).swift").relativePath, declarations.header + "\n" + table.text)
        }
        if !declarations.remarks.isEmpty {
            let text = declarations.header + "\n" + declarations.remarks.joined(separator: "\n") + "\n"
            files.append((folder.appendingPathComponent("NotDeclared.swift").relativePath, text))
        }
        self.files = files
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let others = names.sorted().map { folder.appendingPathComponent($0).relativePath }
            .filter { name in name.hasSuffix(".swift") && !files.contains { $0.0 == name } }
        stale = isComplete ? others.filter { Self.text(at: $0)?.hasPrefix(Declarations.mark) == true } : []
    }

    /// Writes the files that differ.
    ///
    /// - Throws: ``Failure`` for a file that this tool has not written.
    func write() throws {
        for (path, text) in files where !Self.isCurrent(path, text) {
            if let old = Self.text(at: path), !old.isEmpty, !old.hasPrefix(Declarations.mark) {
                throw Failure(
                    "'\(path)' was not written by 'squall generate'", exitCode: .cannotCreate,
                    hint: "delete it, or choose another path")
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let output = try Output(path: path)
            try output.flushing { try output.write(text) }
        }
        for path in stale { Console.printError("note: '\(path)' has no table any more".printable) }
    }

    /// Compares the files.
    ///
    /// - Throws: ``Failure``, which ends the tool with 1, with the names of the files that differ.
    func check() throws {
        let differing = files.compactMap { path, text -> String? in
            guard Self.text(at: path) != nil else { return "'\(path)' is missing" }
            return Self.isCurrent(path, text) ? nil : "'\(path)' is not current"
        }
        let all = differing + stale.map { "'\($0)' has no table any more" }
        guard !all.isEmpty else { return }
        throw Failure(all.joined(separator: "; "), exitCode: .no, hint: "run 'squall generate' without --check")
    }

    /// Returns whether a file has the bytes of a text. Names in other Unicode forms are other names.
    private static func isCurrent(_ path: String, _ text: String) -> Bool {
        Self.text(at: path).map { ExactName($0) == ExactName(text) } ?? false
    }

    private static func text(at path: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
