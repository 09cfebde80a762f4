import ArgumentParser
import Foundation
import Squall
import SquallEncryption

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a database that is in use to a new file.",
        discussion: """
            EXAMPLES
              squall backup app.db backups/monday.db
              squall backup app.db backups/latest.db --force --vacuum

            The copy is one state of the database, with all that was committed. Programs go on reading and writing; if they \
            write all the time, the last part is copied at once, and they wait for it.

            The file is written under a temporary name, checked with PRAGMA quick_check, flushed to the disk, and then \
            renamed. A failure or ^C leaves no file. It has the permissions of the database. Tables that need a collation, a \
            function or a module of their program are copied and not checked, and the result names them.

            If the line about the copy cannot be printed, the exit code is 74, and the copy is there.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "The new file.", completion: .file())
    var output: String

    @Flag(help: "Replace the file if it exists. A database that a program has open is not replaced.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Check the copy.")
    var verify = true

    @Flag(help: "Write the copy without free pages, in the order of its tables (VACUUM INTO).")
    var vacuum = false

    func run() throws {
        let start = ContinuousClock.now
        let path = source.file
        var checked: IntegrityReport?
        try NewDatabaseFile.check(output, isReplaced: force, source: path)
        try Interruption.handling { interruption in
            try source.database.use { connection in
                let file = try NewDatabaseFile(output, until: interruption)
                defer { file.discard() }
                try Copying.naming(path, output) { try copy(connection, to: file, until: interruption) }
                try DatabaseFile(path: output).naming {
                    if verify {
                        checked = try file.verify(
                            connection, path, connection.configuration.encryption, verb: "backup",
                            until: interruption)
                    }
                    try interruption.check()
                    try file.finish(permissionsOf: path, replacing: force, key: source.encryption.key)
                }
            }
        }
        let size = information(of: output).st_size.counted("byte")
        try Output.printLine(
            "\(output.printable): \(size) in \((ContinuousClock.now - start).inSeconds)\(checked?.summary ?? "")")
    }

    private func copy(_ connection: Connection, to file: NewDatabaseFile, until interruption: Interruption) throws {
        guard vacuum else { return try file.copy(connection, title: "backup", until: interruption) }
        var bar = ProgressBar("backup  VACUUM INTO")
        bar.update(nil)
        defer { bar.clear() }
        do {
            try interruption.interrupting(connection) { try connection.vacuum(into: file.temporaryPath) }
        } catch let error as SQLiteError {
            guard let missing = error.missingExtension else { throw error }
            throw Failure(
                "only the program of the database knows the \(missing), which --vacuum needs", exitCode: .sqlError,
                hint: "copy it without --vacuum")
        }
    }

    private func information(of path: String) -> stat {
        var information = stat()
        stat(path, &information)
        return information
    }
}
