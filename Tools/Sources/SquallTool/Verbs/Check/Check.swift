import ArgumentParser
import Foundation
import Rainbow
import Squall

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a database for damage.",
        discussion: """
            It reads all pages (PRAGMA integrity_check), looks for rows that refer to rows that do not exist, compares \
            full-text indexes (FTS5) with their tables, and looks for a log or a journal that does not belong to the file.

            SQLite checks a full-text index only by a write, which changes nothing. It is left out, with a note, for a file \
            that must not be written. What only the program of the file knows, such as a collation, is named, and all that \
            does not need it is checked.

            Exit codes: 0 no problem, 1 problems, 65 not a database.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Flag(help: "Do not compare indexes with their tables (PRAGMA quick_check), nor full-text indexes.")
    var quick = false

    @Flag(help: "Also report values that do not fit the type of their column. STRICT tables have none.")
    var types = false

    @Option(help: "How the problems are printed.")
    var format: OutputFormat = .table

    func run() throws {
        try SideFiles.check(database: source.file)
        let files = SideFiles(of: source.file)
        var findings = files.findings
        // An error that ends the check, such as a lock, does not keep what was found before from being printed.
        var end = Result { try checkContent(&findings) }
        if case .failure(let failure as Failure) = end, failure.exitCode == .noPermission, files.hasJournal {
            // A journal that another process is writing would not have stopped SQLite.
            findings.append(.unfinishedTransaction)
            end = .success(())
        }
        if findings.isEmpty { try end.get() }
        let output = Output()
        try output.flushing {
            if format == .table {
                try print(findings, to: output)
                if case .success = end { try printSummary(findings, to: output) }
                return
            }
            try output.write(findings.map(\.cells), columns: CheckFinding.columns, as: format)
        }
        try end.get()
        if findings.contains(where: { !$0.isNote }) { throw ExitCode.no }
    }

    private func checkContent(_ findings: inout [CheckFinding]) throws {
        try source.database.use { connection in
            findings += try connection.damage(isQuick: quick)
            // A damaged schema cannot be read any further.
            guard findings.isEmpty || (try? connection.tableListings()) != nil else { return }
            findings += try connection.brokenReferences()
            if types { findings += try connection.misfits() }
            findings += try connection.unusableVirtualTables()
            if !quick { findings += try fullTextFindings(connection) }
        }
    }

    private func fullTextFindings(_ connection: Connection) throws -> [CheckFinding] {
        let tables = try connection.schemaEntries().filter { $0.module?.name.isSameName(as: "fts5") == true }
        guard !tables.isEmpty else { return [] }
        guard source.file != ":memory:", access(source.file, W_OK) == 0 else {
            Console.printError(
                "note: \(source.file): the full-text indexes are not checked: the file must not be written")
            return []
        }
        return try source.database.use(.writing) { try $0.fullTextFindings(of: tables.map(\.name)) }
    }

    private func print(_ findings: [CheckFinding], to output: Output) throws {
        for finding in findings {
            let table = finding.table.map { "\($0): " } ?? ""
            let grade = finding.isNote ? "note".cyan + "   " : "problem".red
            try output.write("\(grade)  \(finding.check)  \((table + finding.message).printable)\n")
            if let cure = finding.cure { try output.write("         \("cure: \(cure)".printable.dim)\n") }
        }
    }

    private func printSummary(_ findings: [CheckFinding], to output: Output) throws {
        let problems = findings.filter { !$0.isNote }
        if problems.isEmpty { return try output.write("\("ok".green)  no problems found\n") }
        try output.write((problems.count == 1 ? "1 problem" : "\(problems.count) problems").dim + "\n")
    }
}

extension SideFiles {
    /// The problems with the log.
    fileprivate var findings: [CheckFinding] {
        guard let logFault else { return [] }
        return [
            CheckFinding(
                check: "file", table: nil, message: "the file -wal does not belong to the database: \(logFault)",
                cure: "move the file -wal away, unless the database itself was replaced; keep both until you know")
        ]
    }
}

extension CheckFinding {
    fileprivate static let unfinishedTransaction = CheckFinding(
        check: "file", table: nil,
        message: "the file -journal has the changes of a transaction that did not finish; nothing else can be checked "
            + "before they are undone",
        cure: "open the database with a program that may write; SQLite then undoes them by itself")
}
