import ArgumentParser
import Squall

struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares the schemas of two databases, or their rows.",
        discussion: """
            EXAMPLES
              squall diff app.db new.db
              squall diff app.db new.db --sql > upgrade.sql
              squall diff app.db copy.db --data --tables users,orders
              squall diff app.db copy.db --data --sql | squall shell app.db --write

            The output shows what leads from the first file to the second: + is only in the second file, - only in the first, \
            ~ differs. How the SQL of a schema is written makes no difference, and neither does the order of columns.

            Rows are matched by the primary key. Those of a table without one, or with NULL in it, are matched by their rowid, \
            which VACUUM may change. Columns that are generated are left out, and so are virtual tables, except for a note. A \
            table whose rows cannot be compared, or is damaged, is named, and the others are compared.

            Both scripts run in one transaction. The script of --data drops the triggers of the tables and creates them again, \
            because the rows are to be those of the second file and nothing else. Triggers that only write to full-text tables and \
            R*Trees stay.

            The tables that Squall keeps for itself, such as squall_versions, are left out unless --tables names them.

            Exit codes: 0 the files are alike; 1 they differ; 2 and more, an error.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "The database to compare it with.", completion: .file())
    var other: String

    @Flag(help: "Compare the rows instead of the schemas.")
    var data = false

    @Flag(name: .customLong("sql"), help: "Print the SQL that makes the first file like the second.")
    var isScript = false

    @Flag(help: "Print only how many objects or rows differ.")
    var summary = false

    @Option(
        help: ArgumentHelp("Compare only these tables and views.", valueName: "name,name"),
        transform: NameList.names
    )
    var tables: [String]?

    @Option(help: "Print the differences as rows: table, json or csv.")
    var format: OutputFormat?

    func validate() throws {
        if isScript, summary || format != nil {
            throw ValidationError("--sql cannot be combined with --summary or --format.")
        }
    }

    func run() throws {
        // A script may be read by a program that waits to write to one of the files, which must not be locked then.
        let answer = try isScript ? Output.spooling(compare) : compare(Output())
        if let exitCode = answer.exitCode { throw exitCode }
    }

    private func compare(_ output: Output) throws -> DiffAnswer {
        try output.flushing {
            try database.use { old in
                try otherDatabase.use { new in
                    // One snapshot of each file.
                    try old.snapshot { try new.snapshot { try compare(old, new, output) } }
                }
            }
        }
    }

    // One of the files may be encrypted, and the other not.
    private var database: DatabaseFile { possiblyPlain(source.database) }
    private var otherDatabase: DatabaseFile {
        possiblyPlain(DatabaseFile(path: other, timeout: source.timeout, key: source.encryption.key))
    }

    private func possiblyPlain(_ file: DatabaseFile) -> DatabaseFile {
        var file = file
        file.mayBePlain = true
        return file
    }

    private func compare(_ old: Connection, _ new: Connection, _ output: Output) throws -> DiffAnswer {
        var objects = (
            try database.naming { try SchemaObjects(of: old) },
            try otherDatabase.naming { try SchemaObjects(of: new) }
        )
        if let tables {
            let names = Set(tables.map { Identifier($0) })
            for name in tables where objects.0.isMissing(name) && objects.1.isMissing(name) {
                throw Failure("neither file has a table or a view '\(name)'", exitCode: .sqlError)
            }
            objects.0.keep(names)
            objects.1.keep(names)
        } else {
            let names = Set(objects.0.leaveOutLibraryTables() + objects.1.leaveOutLibraryTables()).sorted()
            if !names.isEmpty {
                Console.printError("note: Squall's own tables are left out: \(names.joined(separator: ", "))".printable)
            }
        }
        if data {
            var diff = DataDiff(
                old: old, new: new, objects: objects, files: (database, otherDatabase), output: output)
            return try isScript
                ? diff.printScript() : summary ? diff.printSummary(as: format) : diff.printList(as: format)
        }
        return try compareSchemas(SchemaDiff(objects.0, objects.1), output) ? .alike : .different
    }

    private func compareSchemas(_ comparison: SchemaDiff, _ output: Output) throws -> Bool {
        let report = SchemaReport(differences: comparison.differences, output: output)
        let areAlike = comparison.differences.isEmpty
        if isScript {
            guard !areAlike else { return true }
            let script = SchemaScript(comparison)
            let checksKeys = try SchemaRehearsal(comparison).run(script)
            try output.write(script.text(from: source.file, to: other, checksKeys: checksKeys))
        } else if summary {
            try report.printSummary(as: format ?? .table)
        } else if let format {
            try report.printRows(as: format)
        } else {
            try report.printList()
        }
        return areAlike
    }
}

extension SchemaObjects {
    fileprivate func isMissing(_ name: String) -> Bool {
        object(.table, name) == nil && object(.view, name) == nil
    }
}

/// The answer of a comparison.
enum DiffAnswer {
    case alike, different
    /// Some tables could not be compared, which standard error says.
    case incomplete(ExitCode)

    init(areAlike: Bool) { self = areAlike ? .alike : .different }

    fileprivate var exitCode: ExitCode? {
        switch self {
        case .alike: nil
        case .different: .no
        case .incomplete(let code): code
        }
    }
}
