import ArgumentParser
import Foundation
import Squall

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Imports a CSV, TSV, JSON or NDJSON file into a table, in one transaction.",
        discussion: """
            EXAMPLES
              squall import app.db flights.csv --null NA
              squall import app.db people.json --primary-key id --upsert
              zcat log.gz | squall import app.db - --table log --format ndjson

            THE TABLE
            A missing table is created. A column is INTEGER or REAL if all its fields are numbers, and TEXT \
            otherwise. Only text that keeps its value is a number: whole numbers of 64 bits, plain decimal numbers, \
            and what the tool itself writes (1e+16, Inf). 007, +1, 1e3, longer whole numbers, and numbers with more \
            than 17 significant digits are TEXT. -0 is the number 0, and 1.10 the number 1.1: --type version=text \
            keeps the text of a column. JSON values of several kinds stay what they are, in a column without a type \
            (ANY in a STRICT table).

            In a table that exists, columns are found by their names, and those that the file does not have get \
            their default. The declared types decide how fields are converted; a hint tells of leading zeros that are lost.

            CSV AND TSV
            As in RFC 4180, in UTF-8: a field in quotes may contain delimiters, line ends, and quotes, which are \
            doubled. Lines end with LF, CRLF or CR. An empty field is NULL. "" is an empty TEXT, but NULL in a \
            column of numbers. In a column of type BLOB, x'0102' is a BLOB. With --delimiter, a file whose \
            extension tells nothing, or standard input, is delimited text.

            JSON
            A row is an object. Arrays and objects in it are stored as JSON text, true as 1, false as 0, \
            {"$base64": true, "encoded": "AQI="} as a BLOB. A new table has a column for each key in the file. A \
            key that an object does not have leaves the default.

            BAD ROWS
            The first row that cannot be read, converted or inserted ends the import, and nothing is imported (exit \
            code 65). With --reject, such rows are written to a CSV file with the columns line, reason and record, \
            and all others are imported.

            The number of rows that the table has got goes to standard output: 336776 rows into flights. Rows that \
            ON CONFLICT IGNORE of the table or RAISE(IGNORE) of a trigger leaves out are counted apart. If the line \
            cannot be printed, the exit code is 74, and the rows are there.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: ArgumentHelp("The file; '-' for standard input.", valueName: "file"))
    var input: String

    @Option(help: "The table; without it, the name of the file without its extension.")
    var table: String?

    @Option(help: "The format; without it, the extension of the file tells.")
    var format: InputFormat?

    @Option(help: ArgumentHelp("The primary key of a new table.", valueName: "columns"), transform: NameList.names)
    var primaryKey: [String]?

    @Flag(help: "Create a STRICT table.")
    var strict = false

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "The type of a column, instead of the detected or declared one: zip=text. It is integer, real, text, blob, numeric or any.",
            valueName: "column=type"
        )
    )
    var types: [TypeOverride] = []

    @Flag(help: "Update the given columns of a row that has the same primary key.")
    var upsert = false

    @Flag(help: "Leave out a row that violates a constraint, such as a key that exists.")
    var ignore = false

    @Flag(help: "Replace rows that have the same key.")
    var replace = false

    @Option(help: ArgumentHelp("Write bad rows to this file, and import the rest.", valueName: "file"))
    var reject: String?

    @Option(help: ArgumentHelp("A text that is NULL, with or without quotes.", valueName: "text"))
    var null: String?

    @Option(
        help: ArgumentHelp("The character between fields; 'tab' for a tab.", valueName: "character"),
        transform: Import.delimiterByte)
    var delimiter: UInt8?

    @Flag(help: "The first line has values. The columns are column1, column2, …, or those of --columns.")
    var noHeader = false

    @Option(
        help: ArgumentHelp("The names of the columns, instead of those of the header.", valueName: "names"),
        transform: NameList.names)
    var columns: [String]?

    @Flag(help: "Show the table that would be created and the number of rows, and write nothing.")
    var dryRun = false

    func validate() throws {
        if [upsert, ignore, replace].count(where: { $0 }) > 1 {
            throw ValidationError("Only one of --upsert, --ignore and --replace can be given.")
        }
        let format = try inputFormat()
        if !format.isDelimited {
            let isGiven = [
                ("--null", null != nil), ("--delimiter", delimiter != nil), ("--no-header", noHeader),
                ("--columns", columns != nil),
            ]
            if let option = isGiven.first(where: \.1) {
                throw ValidationError("\(option.0) is for CSV and TSV.")
            }
        }
        if let reject, InputFile.isSame(reject, source.file) || InputFile.isSame(reject, input) {
            throw ValidationError("--reject would overwrite '\(reject)'.")
        }
        if tableName.isEmpty { throw ValidationError("Name the table with --table.") }
    }

    func run() throws {
        let file = try SourceFile(path: input)
        let importSource = try ImportSource(
            file: file, format: inputFormat(), delimiter: delimiter, columns: columns, hasHeader: !noHeader
        )
        if dryRun {
            let exists = FileManager.default.fileExists(atPath: source.file)
            let database = exists ? source.database : DatabaseFile(path: ":memory:")
            return try database.use(.reading) { try run(importSource, $0) }
        }
        try removingNewFile {
            try source.database.use(.creating) { try run(importSource, $0) }
        }
    }

    private func run(_ importSource: ImportSource, _ connection: Connection) throws {
        try Interruption.handling(of: connection) { interruption in
            let run = ImportRun(
                source: importSource, conflict: conflict,
                conversion: FieldConversion(null: null.map { Array($0.utf8) }),
                rejectPath: dryRun ? reject.map { _ in "/dev/null" } : reject, interruption: interruption
            )
            do {
                let table = try run.table(tableOptions, in: connection)
                if upsert, table.primaryKey.isEmpty {
                    throw Failure(
                        "\(source.file): --upsert needs a primary key, and '\(table.name)' has none",
                        exitCode: .sqlError)
                }
                if dryRun {
                    try report(run.check(table, connection), table)
                } else {
                    try report(run.insert(into: table, connection), table)
                    tellOfForeignKeys(table, connection)
                }
            } catch  where Failure(error)?.exitCode == .interrupted {
                Console.printError("interrupted: nothing was imported")
                throw error
            }
        }
    }

    /// An import does not enforce foreign keys, so that tables can be imported in any order.
    private func tellOfForeignKeys(_ table: ImportTable, _ connection: Connection) {
        // A foreign key that refers to nothing that is unique cannot be checked.
        let sql: SQL = "SELECT count(*) FROM pragma_foreign_key_check(\(table.name))"
        guard let count: Int = try? connection.query(sql), count > 0 else { return }
        let name = table.name.printable
        let rows =
            count == 1
            ? "1 row of \(name) refers to a row that is not there"
            : "\(count) rows of \(name) refer to rows that are not there"
        Console.printError("warning: \(rows); 'squall check' lists what is missing")
    }

    private func report(_ counts: ImportRun.Counts, _ table: ImportTable) throws {
        let output = Output()
        if dryRun, let creation = table.creation {
            let sql = "\(creation.text);\n"
            try output.write(Console.isTerminal(STDOUT_FILENO) ? sql.printableLines : sql)
        }
        var line = counts.written == 1 ? "1 row" : "\(counts.written) rows"
        line += " \(dryRun ? "for" : "into") \(table.name.printable)"
        if counts.ignored > 0 { line += ", \(counts.ignored) \(conflict.omission)" }
        if let reject, counts.rejected > 0 {
            line += ", \(counts.rejected) rejected" + (dryRun ? "" : " into \(reject.printable)")
        }
        if dryRun { line += "; nothing is written" }
        try output.write(line + "\n")
        try output.flush()
    }
}

// MARK: - Options

extension Import {
    private var tableName: String {
        if let table { return table }
        return input == "-" ? "" : URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
    }

    private var tableOptions: TableOptions {
        TableOptions(
            name: tableName, primaryKey: primaryKey ?? [], isStrict: strict, types: types, database: source.file,
            file: input == "-" ? "standard input" : input
        )
    }

    private var conflict: ConflictAction {
        if upsert { return .upsert }
        if ignore { return .ignore }
        return replace ? .replace : .fail
    }

    private func inputFormat() throws -> InputFormat {
        if let format = format ?? InputFormat(path: input) { return format }
        // Only delimited text has a delimiter.
        if delimiter != nil { return .csv }
        let name = input == "-" ? "standard input" : "'\(input)'"
        throw ValidationError("The format of \(name) is not known: give --format csv, tsv, json or ndjson.")
    }

    @Sendable private static func delimiterByte(_ argument: String) throws -> UInt8 {
        if argument == "tab" || argument == "\\t" { return UInt8(ascii: "\t") }
        guard argument.utf8.count == 1, let byte = argument.utf8.first, byte < 0x80, !"\"\r\n".utf8.contains(byte)
        else {
            throw ValidationError("it must be one ASCII character, and neither a quote nor a line end")
        }
        return byte
    }

    /// Runs a closure, and removes the file of the database if it did not exist before and the closure has left it empty.
    private func removingNewFile(_ body: () throws -> Void) throws {
        let files = FileManager.default
        let existed = files.fileExists(atPath: source.file)
        do {
            try body()
        } catch {
            let size = try? files.attributesOfItem(atPath: source.file)[.size] as? Int
            if !existed, size == 0 { try? files.removeItem(atPath: source.file) }
            throw error
        }
    }
}
