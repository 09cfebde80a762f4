import Foundation
import LaboratorySupport
import Squall

/// The verbs of the tool `squall` that only inspect a file, on one that a run has left.
enum ToolRun {
    private static let verbs = [
        ["check"], ["check", "--types"], ["tables"], ["schema"], ["describe"], ["size"], ["export", "items"],
    ]

    /// The tool in the folder of the lane's program.
    private static let tool = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "squall").path

    /// Requires that the verbs find nothing wrong.
    static func inspect(_ path: String, in folder: String) throws {
        for verb in verbs {
            let output = "\(folder)/tool.txt"
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: tool)
            process.arguments = [verb[0], path] + verb.dropFirst()
            let handle = FileHandle(forWritingAtPath: output)
            process.standardOutput = handle
            process.standardError = handle
            try process.run()
            process.waitUntilExit()
            try handle?.close()
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            try require(
                process.terminationStatus == 0,
                "squall \(verb.joined(separator: " ")) ends with \(process.terminationStatus): \(text.prefix(500))")
        }
    }
}
