import Foundation

/// The command that the plugin runs: `squall-sql --output DIR --folder DIR [--public] FILES…`.
package struct GeneratorCommand: Hashable, Sendable {
    /// An error in the arguments.
    package struct UsageError: Error, Hashable, Sendable {
        package let message: String
    }

    static let usage = "usage: squall-sql --output DIR [--folder DIR] [--public] FILES..."

    /// The folder of the Swift files.
    package let output: String
    /// The folder of the SQL files, which the names of the Swift files leave out.
    package let folder: String
    /// The access of the declarations; `nil` for that of the settings.
    package let access: Access?
    /// The SQL files and the settings.
    package let files: [String]

    /// - Parameter arguments: The arguments without the name of the program.
    /// - Throws: ``UsageError``.
    package init(_ arguments: [String]) throws(UsageError) {
        var (output, folder, access, files) = (String?.none, "", Access?.none, [String]())
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--output", "--folder":
                guard let value = rest.popFirst() else { throw UsageError(message: "\(argument) needs a folder") }
                if argument == "--output" { output = value } else { folder = value }
            case "--public": access = .public
            case _ where argument.hasPrefix("--"): throw UsageError(message: "unknown option '\(argument)'")
            default: files.append(argument)
            }
        }
        guard let output else { throw UsageError(message: "--output is missing") }
        (self.output, self.folder, self.access, self.files) = (output, folder, access, files)
    }

    /// Checks the files, and writes the Swift files that differ.
    ///
    /// - Parameter check: Checks the files at the paths.
    /// - Returns: The diagnostics of a run without errors.
    /// - Throws: ``DiagnosticsError``; the error of a file that cannot be read or written.
    package func run(_ check: (_ command: GeneratorCommand) throws -> CheckedFiles) throws -> [Diagnostic] {
        let checked = try check(self)
        try GeneratedFolder(output).write(try checked.swift(below: folder, access: access).files)
        return checked.diagnostics
    }

    /// Runs the command with the arguments of a program, and prints diagnostics to the standard error.
    ///
    /// - Returns: The exit code of the program.
    package static func main(
        _ arguments: [String], check: (_ command: GeneratorCommand) throws -> CheckedFiles
    ) -> Int32 {
        do {
            let diagnostics = try GeneratorCommand(Array(arguments.dropFirst())).run(check)
            printError(diagnostics.map(\.description))
            return 0
        } catch let error as DiagnosticsError {
            printError(error.diagnostics.map(\.description))
        } catch let error as UsageError {
            printError(["error: \(error.message)", usage])
        } catch {
            printError(["error: \(error)"])
        }
        return 1
    }

    private static func printError(_ lines: [String]) {
        for line in lines { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
    }
}
