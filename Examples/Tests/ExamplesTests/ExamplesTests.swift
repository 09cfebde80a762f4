import Foundation
import Testing

/// Every example is run as a process, and prints what its file in `Expected` says.
@Suite struct ExamplesTests {
    @Test(arguments: [
        "FirstSteps", "SQiftTour", "Migrations", "Contacts", "Members", "TypedContacts", "MailSearch", "FileTables",
        "DocumentStore", "Editor", "FolderSync", "Sandbox", "Operations", "Inspector", "Workshop", "Departures",
        "TableSources", "ColumnTypes", "Sales", "Ledger", "Repository",
        "BesideSwiftUI", "PriceLists", "FieldWork", "SearchTour", "Bank", "CheckQueries",
    ])
    func printsWhatIsExpected(program: String) throws {
        let run = try Run(program)
        let expected = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expected/\(program).txt")

        #expect(run.output == (try String(contentsOf: expected, encoding: .utf8)))
        #expect(run.errors == "")
        #expect(run.exitCode == 0)
        #expect(run.filesLeft == [])
    }

    /// Its numbers are different each time.
    @Test func manyTasksUseOneDatabaseWithoutErrors() throws {
        let run = try Run("Concurrent", ["1"])
        #expect(run.output.contains(/^\d+ reads a second, p50 [0-9.]+ ms, p99 [0-9.]+ ms$/.anchorsMatchLineEndings()))
        #expect(run.output.contains(/^\d+ writes a second, p50 [0-9.]+ ms, p99 [0-9.]+ ms$/.anchorsMatchLineEndings()))
        #expect(run.output.hasSuffix("\n0 errors\n"))
        #expect(run.errors == "")
        #expect(run.exitCode == 0)
        #expect(run.filesLeft == [])
    }

    /// How often it prints the table is different each time.
    @Test func aTableFollowsWhatAnotherProcessWrites() throws {
        let run = try Run("LiveTable")
        #expect(run.output.hasPrefix("city        orders   total\n"))
        #expect(
            run.output.hasSuffix(
                """
                city        orders   total
                Helsinki        10    1650
                Malmö           10    1450
                Oslo            10    1550


                """))
        #expect(run.errors == "")
        #expect(run.exitCode == 0)
        #expect(run.filesLeft == [])
    }
}

/// What a program did that was run in a folder of its own.
private struct Run {
    let output: String
    let errors: String
    let exitCode: Int32
    let filesLeft: [String]

    init(_ program: String, _ arguments: [String] = []) throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "squall-examples-tests-\(UUID())")
        let temporary = folder.appending(path: "temporary")
        try files.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }

        // Files, unlike pipes, hold as much as the program writes.
        let output = folder.appending(path: "output")
        let errors = folder.appending(path: "errors")
        for file in [output, errors] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = Self.products.appending(path: program)
        process.arguments = arguments
        process.currentDirectoryURL = temporary
        process.environment = ["TMPDIR": temporary.path]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()

        self.output = try String(contentsOf: output, encoding: .utf8)
        self.errors = try String(contentsOf: errors, encoding: .utf8)
        exitCode = process.terminationStatus
        filesLeft = try files.contentsOfDirectory(atPath: temporary.path)
    }

    /// The folder that the programs are built into, which is that of the tests too.
    private static var products: URL {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}
