import Foundation
import LaboratorySupport
import Squall

/// Names of files with unusual characters, names that are too long, and a working folder that changes.
struct OddPaths: Surrounding {
    var name: String { "odd paths" }

    private static let names = [
        "a b", "new\nline", "quote'and\"double", "question?mark=1", "percent%20", "hash#tag", "semi;colon",
        "back\\slash",
        "ключ-鍵-🔑", "-dash", "file:name", "dot.", "wal-wal", String(repeating: "n", count: 200),
    ]

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        for (index, name) in Self.names.enumerated() {
            report.point()
            do {
                try await use("\(try folder.emptyFolder("odd-\(index)"))/\(name)")
            } catch {
                report.violation("\(name): \(error)")
            }
        }
        report.point()
        do {
            _ = try Database("\(folder.path)/\(String(repeating: "n", count: 5_000))")
            report.violation("a path of 5000 characters was opened")
        } catch ResultCode.cantOpen {
        }
        try await changeFolder(folder, report)
    }

    private func use(_ path: String) async throws {
        let database = try Database(path, configuration: .laboratory())
        try await database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM t") }
        try expect(count, 1)
        try await database.vacuum(into: path + ".copy")
        for try await _ in database.backup(to: path + ".backup") {}
        try await database.close()
        for file in [path, path + ".copy", path + ".backup"] {
            try expect(FileManager.default.fileExists(atPath: file), true, "the existence of the file")
        }
    }

    /// A relative path is one of the folder in which the database was opened.
    private func changeFolder(_ folder: ScratchFolder, _ report: Report) async throws {
        report.point()
        let (first, second) = (try folder.emptyFolder("first"), try folder.emptyFolder("second"))
        _ = FileManager.default.changeCurrentDirectoryPath(first)
        let database = try Database("main.db", configuration: .laboratory())
        _ = FileManager.default.changeCurrentDirectoryPath(second)
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        _ = try await database.read { try $0.query("SELECT count(*) FROM t") as Int }
        try await database.close()
        report.check(try FileManager.default.contentsOfDirectory(atPath: second).isEmpty, "a file in the other folder")
        report.check(FileManager.default.fileExists(atPath: "\(first)/main.db"), "no file in the first folder")
    }
}
