import Foundation

/// The test suites of the copy, and the mutants that each of them reaches.
struct TestSuites {
    let folder: URL
    let program: URL

    init(of copy: MutatedCopy) {
        folder = copy.folder
        program = copy.folder.appending(path: ".build/debug/SquallPackageTests.xctest")
    }

    /// A suite that passes without a mutant.
    struct Suite: Codable {
        var name: String
        var seconds: Double
        var reached: Set<Int>
    }

    /// Returns the names of all suites: `SquallTests.BlobTests`, `SquallTimedTests.BlobChunksTests`.
    func names() throws -> [String] {
        let output = folder.appending(path: ".build/suites.txt")
        let arguments = [program.path, "--testing-library", "swift-testing", "--list-tests"]
        guard try ChildProcess.run(arguments, in: folder, output: output) == .exit(0) else {
            throw MutationError.failed("the tests cannot be listed: see \(output.path)")
        }
        let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        let suites = lines.compactMap { line -> String? in
            guard let slash = line.firstIndex(of: "/"), line.contains("(") else { return nil }
            return String(line[..<slash])
        }
        return Set(suites).sorted()
    }

    /// Runs one suite without a mutant.
    ///
    /// - Returns: `nil` if it fails.
    func measure(_ name: String) throws -> Suite? {
        let reachedFile = folder.appending(path: ".build/reached/\(name)")
        let reachedFolder = reachedFile.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: reachedFolder, withIntermediateDirectories: true)
        let start = Date()
        let ending = try run(name, ["SQUALL_MUTANTS_REACHED": reachedFile.path], timeout: 600)
        guard ending == .exit(0) else { return nil }
        let seconds = Date().timeIntervalSince(start)
        var reached: Set<Int> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: reachedFolder.path)
        where file.hasPrefix("\(name).") {
            let url = reachedFolder.appending(path: file)
            reached.formUnion(
                try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { Int($0) })
            try FileManager.default.removeItem(at: url)
        }
        return Suite(name: name, seconds: seconds, reached: reached)
    }

    /// Runs one suite with a mutant.
    ///
    /// - Returns: Whether it notices the mutant: a test fails, the process is stopped, or the time is over. A suite that then fails
    ///   without the mutant too, as on a busy machine, has not noticed it.
    func notices(_ suite: Suite, _ id: Int) throws -> Bool {
        let timeout = suite.seconds * 5 + 30
        guard try run(suite.name, ["SQUALL_MUTANT": "\(id)"], timeout: timeout) != .exit(0) else { return false }
        return try run(suite.name, [:], timeout: timeout) == .exit(0)
    }

    private func run(
        _ name: String, _ environment: [String: String], timeout: Double
    ) throws -> ChildProcess.Ending {
        let output = folder.appending(path: ".build/suite-\(name).log")
        let filter = "^\(name.replacing(".", with: "\\."))/"
        // The tests of a timed suite run one at a time.
        let order = name.hasPrefix("SquallTimedTests.") ? ["--no-parallel"] : []
        return try ChildProcess.run(
            [program.path, "--testing-library", "swift-testing", "--filter", filter] + order, in: folder,
            environment: environment, output: output, timeout: timeout)
    }
}
