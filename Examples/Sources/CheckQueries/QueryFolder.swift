import Foundation
import Squall
import SquallSQLFiles

/// A folder of SQL files, and the folder of the Swift that is made of them.
struct QueryFolder {
    let path: String
    let output: GeneratedFolder

    init(_ path: String, output: String) {
        self.path = path
        self.output = GeneratedFolder(output)
    }

    /// Checks the files, and writes the Swift that is not current. Returns whether there is an error.
    func update() throws -> Bool {
        do {
            let files = try CheckedFiles(folder: path)
            for message in files.diagnostics { report(message) }
            print("  queries: \(files.queryCount), checked by this SQLite: \(files.sqliteVersion == SQLiteLibrary.version)")
            try write(files.swift(below: path, access: Access.public))
            return true
        } catch let error as DiagnosticsError {
            for message in error.diagnostics { report(message) }
            return false
        } catch let error as GeneratedFolder.ForeignFileError {
            print("  not written: \(error.path) is a file of yours")
            return false
        }
    }

    /// Prints a message as an editor shows it: errors first, and notes without their place.
    private func report(_ message: Diagnostic) {
        switch message.severity {
        case .error: print("  ERROR at \(short(message.location)): \(message.message)")
        case .warning: print("  warning at \(short(message.location)): \(message.message)")
        case .note: print("  \(message.message)")
        }
    }

    private func short(_ place: SourceLocation) -> String {
        "\(URL(filePath: place.file).lastPathComponent):\(place.line)"
    }

    private func write(_ sources: GeneratedSources) throws {
        for difference in output.differences(from: sources.files) {
            switch difference {
            case .missing(let path): print("  new: \(path)")
            case .changed(let path): print("  changed: \(path)")
            // A file whose SQL was deleted would still be compiled.
            case .stale(let path):
                print("  deleted: \(path)")
                try FileManager.default.removeItem(atPath: path)
            }
        }
        try output.write(sources.files)
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
        print("  \(statement.query) at \(short(statement.location)) reads a whole table: \(steps.joined(separator: ", "))")
    }

    /// A unique index is a constraint as well.
    private func canBeDropped(_ index: UnusedIndex) -> Bool { !index.isUnique }
}
