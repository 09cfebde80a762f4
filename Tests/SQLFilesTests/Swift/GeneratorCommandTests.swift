import Foundation
import Testing

@testable import SquallSQLFiles

struct GeneratorCommandTests {
    @Test func argumentsAreFoldersAndFiles() throws {
        let command = try GeneratorCommand([
            "--output", "out", "--folder", "SQL", "--public", "SQL/a.sql", "SQL/squall.json",
        ])
        #expect(command.output == "out" && command.folder == "SQL" && command.access == .public)
        #expect(command.files == ["SQL/a.sql", "SQL/squall.json"])
    }

    @Test(arguments: [
        ([], "--output is missing"), (["--output"], "--output needs a folder"),
        (["--output", "out", "--all"], "unknown option '--all'"),
    ])
    func wrongArgumentsAreRefused(arguments: [String], message: String) {
        #expect(throws: GeneratorCommand.UsageError(message: message)) { try GeneratorCommand(arguments) }
    }

    @Test func theFilesAreWritten() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = GeneratorCommand.main(["squall-sql", "--output", output, "--folder", "SQL", "SQL/a.sql"]) {
            command in
            CheckedFiles(queryFiles: command.files, queries: [], catalog: Catalog(), sqliteVersion: "3.45.1")
        }
        #expect(code == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: output).sorted() == ["SQLSchema.swift", "a.sql.swift"])
    }

    @Test func anErrorIsAnExitCode() {
        #expect(GeneratorCommand.main(["squall-sql"]) { _ in throw DiagnosticsError([]) } == 1)
        #expect(GeneratorCommand.main(["squall-sql", "--output", "x"]) { _ in throw DiagnosticsError([]) } == 1)
    }
}
