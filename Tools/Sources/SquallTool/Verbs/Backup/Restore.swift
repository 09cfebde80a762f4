import ArgumentParser
import Foundation
import Squall
import SquallEncryption

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a backup back to a database.",
        discussion: """
            EXAMPLES
              squall restore backups/monday.db app.db
              squall restore backups/monday.db app.db --force

            The backup is checked first (PRAGMA quick_check), and the result afterwards. Tables that need a collation, a function \
            or a module of their program are restored and not checked, and the result names them.

            A database that exists is overwritten only with --force, by one transaction of SQLite: programs that have it open \
            see the old state or the new one, and none of its log or journal is applied to the new state. A failure or ^C \
            leaves it unchanged. A file that is too damaged for SQLite to open is replaced.
            """
    )

    @Argument(help: "The backup.", completion: .file())
    var backup: String

    @Argument(help: "The database.", completion: .file())
    var database: String

    @Flag(help: "Overwrite the database if it exists.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Check the backup and the result.")
    var verify = true

    @Option(help: ArgumentHelp("How long to wait for a database that is locked.", valueName: "seconds"))
    var timeout: UInt32 = 5

    @OptionGroup(title: "Encrypted files")
    var encryption: KeyArguments

    func run() throws {
        let start = ContinuousClock.now
        var checked: IntegrityReport?
        try InputFile.check(backup)
        try checkBackup()
        try NewDatabaseFile.check(database, isReplaced: force, source: backup)
        try Interruption.handling { interruption in
            try DatabaseFile(path: backup, timeout: timeout, key: encryption.key).use { source in
                if verify { checked = try verify(source, backup, "backup", until: interruption) }
                try restore(source, until: interruption)
            }
        }
        let note = checked.map { $0.unchecked.isEmpty ? "" : $0.summary } ?? ""
        try Output.printLine("\(database.printable): restored in \((ContinuousClock.now - start).inSeconds)\(note)")
    }

    /// SQLite treats an empty file as an empty database.
    private func checkBackup() throws {
        var information = stat()
        guard stat(backup, &information) == 0, information.st_size > 0 else {
            throw Failure("\(backup): the file is empty", exitCode: .badInput)
        }
    }

    private func verify(
        _ connection: Connection, _ path: String, _ name: String, until interruption: Interruption
    ) throws -> IntegrityReport {
        let report = try Copying.check(connection, title: "restore  checking the \(name)", until: interruption)
        if let problem = report.problems.first {
            throw Failure("\(path): the \(name) is damaged: \(problem)", exitCode: .badInput)
        }
        return report
    }

    private func restore(_ source: Connection, until interruption: Interruption) throws {
        let target = DatabaseFile(path: database, timeout: timeout, key: encryption.key)
        guard FileManager.default.fileExists(atPath: database) else {
            return try create(from: source, until: interruption)
        }
        let connection: Connection
        do {
            connection = try target.open(.writing)
        } catch let error as SQLiteError where error.isOfUselessFile {
            return try create(from: source, until: interruption)
        } catch {
            throw Failure(error, file: database) ?? error
        }
        defer { connection.close() }
        try target.naming { try overwrite(connection, from: source, until: interruption) }
    }

    /// Overwrites a database through SQLite, which respects the locks of others and lets them see the new state. Replacing the
    /// file would leave them with the old one.
    private func overwrite(
        _ connection: Connection, from source: Connection, until interruption: Interruption
    ) throws {
        let journalMode: String? = try connection.query("PRAGMA journal_mode")
        let sizes = try [source, connection].map { try $0.pageSize() }
        // A log cannot have pages of another size than its database.
        let leavesLog = journalMode == "wal" && sizes[0] != sizes[1]
        if leavesLog { try connection.run("PRAGMA journal_mode = DELETE") }
        try Copying.naming(backup, database) {
            try Copying.copy(source, to: connection, title: "restore", until: interruption)
        }
        if leavesLog { try connection.run("PRAGMA journal_mode = WAL") }
        if verify { _ = try verify(connection, database, "restored database", until: interruption) }
    }

    /// Creates the database, or replaces a file that is not a database any more.
    private func create(from source: Connection, until interruption: Interruption) throws {
        let file = try NewDatabaseFile(database, until: interruption)
        defer { file.discard() }
        try Copying.naming(backup, database) { try file.copy(source, title: "restore", until: interruption) }
        try DatabaseFile(path: database).naming {
            if verify {
                _ = try file.verify(
                    source, backup, source.configuration.encryption, verb: "restore", until: interruption)
            }
            try interruption.check()
            try file.finish(permissionsOf: backup, replacing: force, key: encryption.key)
        }
    }
}
