import Foundation
import Testing

@testable import SquallSQLFiles

/// A folder of SQL files, which is deleted after it has been checked.
struct SampleFolder {
    /// The content of the files, by their paths below the folder.
    private var files: [String: [UInt8]]

    init(_ files: [String: String]) {
        self.files = files.mapValues { Array($0.utf8) }
    }

    init(bytes files: [String: [UInt8]]) {
        self.files = files
    }

    /// A folder with one file of queries below a table of cars.
    init(queries: String) {
        self.init([
            "schema/001_cars.sql": "CREATE TABLE cars (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INT);",
            "cars.sql": queries,
        ])
    }

    /// A folder with one file of the history and without queries.
    init(schema: String) {
        self.init(["schema/001_start.sql": schema])
    }

    /// Writes the folder, and calls a closure with its path.
    func withFolder<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, content) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content).write(to: file)
        }
        return try body(folder.path)
    }

    /// Checks the folder.
    ///
    /// - Throws: ``DiagnosticsError``.
    func checked(deadline: Duration = .seconds(10)) throws -> CheckedFiles {
        try withFolder { try CheckedFiles(folder: $0, deadline: deadline) }
    }

    /// The diagnostics as lines, with the paths below the folder.
    func lines(deadline: Duration = .seconds(10)) throws -> [String] {
        try withFolder { path in
            let found: [Diagnostic]
            do {
                found = try CheckedFiles(folder: path, deadline: deadline).diagnostics
            } catch let error as DiagnosticsError {
                found = error.diagnostics
            }
            return found.map { $0.description.replacingOccurrences(of: "\(path)/", with: "") }
        }
    }

    /// Expects exactly one diagnostic, which is an error.
    ///
    /// - Parameters:
    ///   - place: The file, the line and the column.
    ///   - parts: The parts that the message must have.
    func expectError(
        at place: String, _ parts: String..., deadline: Duration = .seconds(10),
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let lines = try lines(deadline: deadline)
        guard lines.count == 1, let line = lines.first else {
            Issue.record("expected one diagnostic, found \(lines)", sourceLocation: sourceLocation)
            return
        }
        #expect(line.hasPrefix("\(place): error: "), "\(line)", sourceLocation: sourceLocation)
        for part in parts { #expect(line.contains(part), "\(line)", sourceLocation: sourceLocation) }
    }
}
