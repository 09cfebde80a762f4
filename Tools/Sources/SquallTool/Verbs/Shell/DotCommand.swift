import Foundation
import Squall

/// A line that begins with a dot. The names are those of SQLite's own shell where it has the command.
struct DotCommand {
    static let names = [".describe", ".exit", ".help", ".mode", ".quit", ".read", ".schema", ".tables"]
    /// The names that SQLite's own shell has for formats.
    private static let aliases = ["box": "table", "column": "table", "tabs": "tsv"]
    private let words: [String]

    /// Splits a line into words, which may be in quotes.
    init(_ line: String) {
        words = line.matches(of: /"((?:[^"]|"")*)"|'((?:[^']|'')*)'|[^\s'"]+/).map { match -> String in
            if let name = match.1 { return String(name).replacing("\"\"", with: "\"") }
            if let text = match.2 { return String(text).replacing("''", with: "'") }
            return String(match.0)
        }
    }

    private var argument: String? { words.dropFirst().first }

    /// - Returns: Whether the shell goes on.
    func run(in session: ShellSession) throws -> Bool {
        guard words.count <= 2 else { throw usage("\(words[0]) takes one argument at most") }
        switch words.first {
        case ".quit", ".exit": return false
        case ".help": try printLines(Self.help)
        case ".tables": try printTables(session)
        case ".schema": try printSchema(session)
        case ".describe": try describe(session)
        case ".mode": try setMode(session)
        case ".read": try read(session)
        default: throw usage("there is no command \(words.first ?? ".")")
        }
        return true
    }

    private static let help = """
        .describe TABLE   the columns of a table or a view
        .help             this list
        .mode FORMAT      how rows are printed: \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", "))
        .quit             ends the shell, as ^D does
        .read FILE        runs a script
        .schema [TABLE]   the SQL of all tables and views, or of one, with its indexes and triggers
        .tables           the tables and views

        """

    private func usage(_ message: String) -> Failure {
        Failure(message, exitCode: .sqlError, hint: ".help lists the commands")
    }

    private func printLines(_ text: String) throws {
        let output = Output()
        try output.write(text)
        try output.flush()
    }

    private func printTables(_ session: ShellSession) throws {
        let names = try session.connection.tableListings().map(\.name)
        try printLines(names.map { $0.printable + "\n" }.joined())
    }

    private func printSchema(_ session: ShellSession) throws {
        let entries = try session.connection.storedEntries().filter { entry in
            !entry.sql.isEmpty && argument.map { entry.table.isSameName(as: $0) } ?? true
        }
        let kinds: [SchemaEntry.Kind] = [.table, .index, .view, .trigger]
        let statements = kinds.flatMap { kind in entries.filter { $0.kind == kind }.map(\.sql) }
        if let argument, statements.isEmpty { throw missing(argument) }
        try printLines(
            statements.map {
                $0.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(
                    separator: "\n") + ";\n"
            }.joined())
    }

    private func describe(_ session: ShellSession) throws {
        guard let table = argument else { throw usage(".describe needs a table") }
        let columns = ["column", "type", "not null", "default", "key"]
        let rows = try session.connection.columnListings(of: table, in: nil).filter { !$0.isHidden }.map { column in
            [
                Cell.text(column.name), .text(column.type), .text(column.isNotNull ? "not null" : ""),
                column.defaultValue.map { .text($0) } ?? .null,
                column.keyPosition > 0 ? .integer(Int64(column.keyPosition)) : .null,
            ]
        }
        if rows.isEmpty { throw missing(table) }
        try session.print(rows, columns: columns)
    }

    private func missing(_ table: String) -> Failure {
        Failure("there is no table or view '\(table)'", exitCode: .sqlError, hint: ".tables lists them")
    }

    private func setMode(_ session: ShellSession) throws {
        let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = argument else { return try printLines(session.format.rawValue + "\n") }
        guard let format = OutputFormat(rawValue: Self.aliases[name] ?? name) else {
            throw Failure("there is no format '\(name)', only \(formats)", exitCode: .sqlError)
        }
        session.format = format
    }

    private func read(_ session: ShellSession) throws {
        guard let path = argument else { throw usage(".read needs a file") }
        try InputFile.check(path)
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure("cannot read '\(path)'", exitCode: .ioError)
        }
        do {
            var script = ShellScript(session, name: path)
            try script.run(file)
        } catch {
            throw Failure(error, file: path) ?? error
        }
    }
}
