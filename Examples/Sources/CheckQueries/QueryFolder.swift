import Foundation
import Squall
import SquallSQLFiles

/// A folder of SQL files, and the folder of the Swift that is made of them.
struct QueryFolder {
    let path: String
    let output: GeneratedFolder
    let access: Access

    init(_ path: String, output: String, access: Access = .internal) {
        self.path = path
        self.access = access
        self.output = GeneratedFolder(output)
    }

    /// Checks the files, and writes the Swift that is not current. Returns whether there is an error.
    func update() throws -> Bool {
        do {
            let files = try CheckedFiles(folder: path)
            for message in files.diagnostics { report(message) }
            print(
                "  queries: \(files.queryCount), checked by this SQLite: \(files.sqliteVersion == SQLiteLibrary.version)"
            )
            try write(swift(of: files).files)
            return true
        } catch let error as DiagnosticsError {
            for message in error.diagnostics { report(message) }
            return false
        } catch let error as GeneratedFolder.ForeignFileError {
            print("  not written: \(error.path) is a file of yours")
            return false
        }
    }

    private func swift(of files: CheckedFiles) throws -> GeneratedSources {
        try files.swift(below: path, access: access)
    }

    private func report(_ message: Diagnostic) {
        print("  \(sign(of: message.severity)) \(short(message.location)): \(message.message)")
    }

    private func sign(of severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: "✗"
        case .warning: "!"
        case .note: "·"
        }
    }

    private func short(_ place: SourceLocation) -> String {
        "\(URL(filePath: place.file).lastPathComponent):\(place.line)"
    }

    private func write(_ files: [GeneratedFile]) throws {
        for difference in output.differences(from: files) { try settle(difference) }
        try output.write(files)
    }

    /// Deletes a file whose SQL was deleted, because it would still be compiled. The others are written anyway.
    private func settle(_ difference: GeneratedFolder.Difference) throws {
        switch difference {
        case .missing(let path): print("  new: \(path)")
        case .changed(let path): print("  changed: \(path)")
        case .stale(let path):
            print("  deleted: \(path)")
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Prints the steps of queries that read a whole table, and the indexes that could go.
    func printPlans() throws {
        let plans = try QueryPlans(folder: path)
        for statement in plans.statements where !statement.scans.isEmpty { printScans(of: statement) }
        for index in plans.unusedIndexes where canBeDropped(index) {
            print("  no query uses the index \(index.name) of \(index.table)")
        }
    }

    private func printScans(of statement: StatementPlan) {
        let steps = statement.plan.all.filter { statement.scans.contains($0.id) }.map(\.detail)
        print(
            "  \(statement.query) at \(short(statement.location)) reads a whole table: \(steps.joined(separator: ", "))"
        )
    }

    /// A unique index is a constraint as well.
    private func canBeDropped(_ index: UnusedIndex) -> Bool { !index.isUnique }
}
