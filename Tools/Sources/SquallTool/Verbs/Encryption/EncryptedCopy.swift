import ArgumentParser
import Foundation
import Squall
import SquallEncryption

/// The writing of a database to a new file that has another encryption, or none. The file gets its own name, or takes the place of the
/// database.
struct EncryptedCopy {
    let source: DatabaseFile
    /// The encryption of the new file.
    let encryption: Encryption?
    /// The key of the options, which is that of a file that is replaced.
    let key: DatabaseKey
    let output: CopyOutput
    /// The name of the verb, for the progress bar.
    let verb: String

    func write() async throws -> IntegrityReport? {
        if let path = output.path {
            try NewDatabaseFile.check(path, isReplaced: output.force, source: source.path)
        } else {
            try FileUse.check(source.path)
        }
        return try await Interruption.handling { interruption in
            try await source.naming {
                let connection = try source.open(output.path == nil ? .writing : .reading)
                defer { connection.close() }
                return try await write(connection, until: interruption)
            }
        }
    }

    private func write(_ connection: Connection, until interruption: Interruption) async throws -> IntegrityReport? {
        let file = try NewDatabaseFile(output.path ?? source.path, until: interruption)
        defer { file.discard() }
        let lock = try output.path == nil ? ReplacementLock(connection, source.path) : nil
        let isLogged = try lock?.isLogged ?? (connection.query("PRAGMA main.journal_mode") == "wal")
        defer { lock?.release() }
        try lock?.acquire()
        try await copy(connection, to: file, until: interruption)
        let report =
            try output.verify
            ? file.verify(connection, source.path, encryption, verb: verb, until: interruption) : nil
        if isLogged { try setLogMode(of: file) }
        try interruption.check()
        if let lock {
            try file.takePlace { try lock.lockingOut($0) }
        } else {
            try file.finish(permissionsOf: source.path, replacing: output.force, key: key)
        }
        return report
    }

    private func copy(
        _ connection: Connection, to file: NewDatabaseFile, until interruption: Interruption
    ) async throws {
        var bar = ProgressBar(verb)
        bar.update(nil)
        defer { bar.clear() }
        let database = try source.openDatabase(.reading, as: connection)
        let (path, encryption) = (file.temporaryPath, encryption)
        let result: Result<Void, any Error>
        do {
            try await interruption.cancelling { try await database.copy(to: path, encryption: encryption) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // While it is open, the log of the file is in use.
        try await database.close()
        try result.get()
    }

    /// Sets the mode that the database has.
    private func setLogMode(of file: NewDatabaseFile) throws {
        let configuration = Configuration.sqlite.with(encryption)
        let copy = try Connection(file.temporaryPath, mode: .existing, configuration: configuration)
        defer { copy.close() }
        try copy.run("PRAGMA journal_mode = WAL")
    }
}

/// The options of a new file that a verb writes.
struct CopyOutput: ParsableArguments {
    @Option(
        name: .customLong("output"),
        help: ArgumentHelp("Write a new file, and leave the database as it is.", valueName: "path"), completion: .file()
    )
    var path: String?

    @Flag(help: "Replace the file of --output if it exists.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Check the new file (PRAGMA quick_check).")
    var verify = true

    func validate() throws {
        if force, path == nil { throw ValidationError("--force is for --output.") }
    }
}
