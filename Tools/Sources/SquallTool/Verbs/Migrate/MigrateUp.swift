import ArgumentParser
import Foundation
import Squall

struct MigrateUp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Runs the pending versions, each in one transaction.",
        discussion: """
            The database is created if it does not exist. A version that fails is rolled back; the earlier ones \
            stay. The message has the file and the line of the statement. Foreign keys are enforced, and are \
            checked after a version that drops a table.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @OptionGroup
    var files: MigrationFolder

    @Option(help: ArgumentHelp("The version to stop at; without it, the latest.", valueName: "version"))
    var to: Int?

    @Flag(help: "Prints the SQL that would run. It runs in a transaction that is rolled back.")
    var dryRun = false

    @Option(help: ArgumentHelp("Copies the database to this file first, which must not exist.", valueName: "path"))
    var backup: String?

    @Flag(help: "Runs versions below that of the database that it never ran.")
    var runSkipped = false

    @Flag(help: "Goes on although a file was edited after the database ran it.")
    var ignoreEdits = false

    func validate() throws {
        // Version 0 of a schema drops everything that is in the file.
        if let to, to < 1 { throw ValidationError("The version is at least 1.") }
    }

    func run() throws {
        let schema = try files.read()
        let exists = FileManager.default.fileExists(atPath: source.file)
        // A dry run creates no file.
        let database = dryRun && !exists ? DatabaseFile(path: ":memory:") : source.database
        try database.use(.creating) { connection in
            try connection.run("PRAGMA foreign_keys = ON")
            try dryRun ? printSQL(of: schema, on: connection) : migrate(schema, on: connection)
        }
    }

    private var options: MigrationOptions {
        var options: MigrationOptions = []
        if runSkipped { options.insert(.runSkippedVersions) }
        if ignoreEdits { options.insert(.ignoreEdits) }
        return options
    }

    private func printSQL(of schema: Schema, on connection: Connection) throws {
        let output = Output()
        let isTerminal = Console.isTerminal(STDOUT_FILENO)
        for sql in try schema.dryRun(connection, to: to, options: options, waiting: .zero) {
            let text = sql.text.trimmingCharacters(in: .whitespacesAndNewlines)
            let line = text.hasSuffix(";") ? "\(text)\n" : "\(text);\n"
            try output.write(isTerminal ? line.printableLines : line)
        }
        try output.flush()
    }

    private func migrate(_ schema: Schema, on connection: Connection) throws {
        let before = try schema.status(of: connection).version
        if let backup { try copy(connection, to: backup) }
        var progress = ProgressBar("migrate")
        defer { progress.clear() }
        try Interruption.handling(of: connection) { _ in
            _ = try schema.migrate(connection, to: to, options: options, waiting: .zero) { step in
                let fraction = step.allRows > 0 ? Double(step.copiedRows) / Double(step.allRows) : nil
                progress.update(fraction, "version \(step.version), \(step.step)".printable)
            }
        }
        progress.clear()
        let after = try schema.status(of: connection).version
        let name = source.file.printable
        try Output.printLine(
            before == after ? "\(name) has version \(after)" : "\(name): version \(before) → \(after)")
    }

    private func copy(_ connection: Connection, to path: String) throws {
        let copy = DatabaseFile(path: path)
        try copy.naming {
            // SQLite would copy the database to memory.
            guard path != ":memory:" else {
                throw Failure("the backup ':memory:' is not a file", exitCode: .cannotCreate)
            }
            guard !FileManager.default.fileExists(atPath: path) else {
                throw Failure("'\(path)' exists already", exitCode: .cannotCreate)
            }
            try connection.vacuum(into: path)
        }
    }
}
