import Foundation

/// A program of the package, which lies beside the tests.
package struct Program {
    private let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// Runs the program to its end, and returns what it has written to its standard output and, if asked for, to its standard
    /// error.
    package func run(
        _ arguments: [String] = [], includingErrors: Bool = false
    ) throws -> (lines: [String], code: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: name)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        if includingErrors { process.standardError = output }
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (text.split(separator: "\n").map(String.init), process.terminationStatus)
    }
}
