import ArgumentParser
import Rainbow
import Squall

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Examines the settings and the schema of a database, and names a cure for what is wrong.",
        discussion: """
            Each line has a grade: ok, note (could be better), warning (will go wrong some day) or problem (is wrong). The file is \
            not changed, and its rows are not read; 'squall check' reads them.

            The schema is tried in memory: with double-quoted strings off, and as a schema that is not trusted.

            Exit codes: 0 without warnings and problems, 1 with them.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Option(help: "How the list is printed.")
    var format: OutputFormat = .table

    func run() throws {
        try SideFiles.check(database: source.file)
        let files = SideFiles(of: source.file)
        var list: [Diagnosis] = []
        // An error that ends the examination, such as damage, does not keep what was found before from being printed.
        var end = Result {
            try source.database.use { connection in
                try connection.snapshot { try examine(connection, files, &list) }
            }
        }
        if case .failure(let failure as Failure) = end {
            if failure.exitCode == .noPermission, files.hasJournal {
                // A journal that another process is writing would not have stopped SQLite.
                (list, end) = ([.unfinishedTransaction], .success(()))
            } else if failure.isOfMissingKey {
                (list, end) = ([.missingKey], .success(()))
            } else if list.isEmpty {
                throw failure
            }
        }
        // The worst comes first.
        let order = list.enumerated().sorted { ($1.element.grade, $0.offset) < ($0.element.grade, $1.offset) }
        let sorted = order.map(\.element)
        let output = Output()
        try output.flushing {
            if format == .table {
                try print(sorted, to: output)
                if case .success = end { try printSummary(list, to: output) }
                return
            }
            try output.write(sorted.map(\.cells), columns: Diagnosis.columns, as: format)
        }
        try end.get()
        if list.contains(where: { $0.grade >= .warning }) { throw ExitCode.no }
    }

    private func examine(_ connection: Connection, _ files: SideFiles, _ list: inout [Diagnosis]) throws {
        list += try connection.libraryDiagnoses()
        list.append(try connection.encryptionDiagnosis(isRaw: source.encryption.rawKey))
        list += try connection.fileDiagnoses(files)
        let entries = try connection.schemaEntries()
        let tables = try connection.tableListings()
        let copy = try SchemaCopy(of: entries)
        let keys = KeyExamination(connection: connection, tables: tables, copy: copy)
        list += try SchemaExamination(entries: entries, tables: tables).diagnoses()
        list += try keys.foreignKeyDiagnoses() + keys.primaryKeyDiagnoses() + keys.indexDiagnoses()
        list += try connection.statisticsDiagnoses(tables)
    }

    private func print(_ list: [Diagnosis], to output: Output) throws {
        for diagnosis in list { try output.write(diagnosis.text) }
    }

    private func printSummary(_ list: [Diagnosis], to output: Output) throws {
        let counts = Diagnosis.Grade.allCases.reversed().compactMap { grade -> String? in
            let count = list.filter { $0.grade == grade }.count
            guard count > 0, grade != .ok else { return nil }
            return "\(count) \(grade.rawValue)\(count == 1 ? "" : "s")"
        }
        try output.write((counts.isEmpty ? "all is well" : counts.joined(separator: ", ")).dim + "\n")
    }
}
