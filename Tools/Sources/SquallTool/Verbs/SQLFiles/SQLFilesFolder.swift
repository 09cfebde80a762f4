import ArgumentParser
import Foundation
import Squall
import SquallSQLFiles

/// A folder of SQL files: the history of a schema, and queries.
struct SQLFilesFolder: ParsableArguments {
    /// A day.
    private static let longestDeadline = 86_400.0

    @Argument(help: "The folder of the SQL files.", completion: .directory)
    var folder: String

    @Option(help: ArgumentHelp("The maximum duration of the schema files.", valueName: "seconds"))
    var deadline = 10.0

    func validate() throws {
        guard deadline > 0, deadline <= Self.longestDeadline else {
            throw ValidationError("--deadline must be greater than 0, and at most 86400 seconds.")
        }
    }

    /// Checks the files, and prints warnings and notes.
    func check() throws -> CheckedFiles {
        let files = try reading { try CheckedFiles(folder: $0, deadline: $1) }
        files.printNotes()
        return files
    }

    /// Checks the files, and plans their queries.
    func plans() throws -> QueryPlans {
        let plans = try reading { try QueryPlans(folder: $0, deadline: $1) }
        plans.files.printNotes()
        return plans
    }

    private func reading<Result>(_ body: (_ folder: String, _ deadline: Duration) throws -> Result) throws -> Result {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw Failure("cannot open '\(folder)': No such file or directory", exitCode: .noInput)
        }
        guard (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil else {
            throw Failure("cannot read the folder '\(folder)'", exitCode: .noInput)
        }
        try CheckedFiles.limitMemory()
        return try Self.reportingDiagnostics { try body(folder, .seconds(deadline)) }
    }

    /// Runs a closure, and prints the diagnostics that it throws.
    ///
    /// - Throws: ``ExitCode/no`` after diagnostics.
    static func reportingDiagnostics<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DiagnosticsError {
            for diagnostic in error.diagnostics { Console.printError(diagnostic.description.printable) }
            throw ExitCode.no
        }
    }
}

extension CheckedFiles {
    /// The number of queries and the SQLite that checked them: `3 queries checked by SQLite 3.45.1`.
    var summary: String { "\(queryCount) \(queryCount == 1 ? "query" : "queries") checked by SQLite \(sqliteVersion)" }

    fileprivate func printNotes() {
        for diagnostic in diagnostics { Console.printError(diagnostic.description.printable) }
    }
}
