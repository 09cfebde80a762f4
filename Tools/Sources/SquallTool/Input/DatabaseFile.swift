import Foundation
import Squall
import SquallEncryption

/// A database that a verb works on. Errors name the file.
struct DatabaseFile {
    let path: String
    /// How long to wait for a database that is locked, in seconds.
    var timeout: UInt32 = 5
    /// The key; `nil` for a verb that opens the file only without one.
    var key: DatabaseKey?
    /// Whether a file that is not encrypted is opened although a key is given.
    var mayBePlain = false

    /// The access of a verb to the file.
    enum Access {
        /// The file must exist, and is not changed.
        case reading
        /// The file must exist.
        case writing
        /// The file is created if it does not exist.
        case creating
    }

    /// Opens the file and runs a closure with the connection.
    ///
    /// The settings are SQLite's own instead of the recommended ones, because a file may depend on a setting that those turn
    /// off, and a tool must not change the journal mode of a file. Only the triggers of rows that REPLACE deletes run, as in the
    /// recommended ones.
    ///
    /// - Throws: ``Failure``, which names the file; also if it is not a database.
    func use<Result>(_ access: Access = .reading, _ body: (Connection) throws -> Result) throws -> Result {
        try naming { try body(open(access)) }
    }

    /// Opens the file. Errors of the connection do not name the file unless it is used inside ``naming(_:)``.
    func open(_ access: Access) throws -> Connection {
        // SQLite would open a temporary database, and delete it with all that was written.
        if path.isEmpty, access == .creating {
            throw Failure("the name of the database is empty", exitCode: .cannotCreate)
        }
        let exists = access != .creating || FileManager.default.fileExists(atPath: path)
        if path != ":memory:", exists { try InputFile.check(path) }
        let mode: Connection.Mode =
            switch access {
            case .reading: .readOnly
            case .writing: .existing
            case .creating: .create
            }
        return try opening { encryption in
            let configuration = configuration(access, encryption)
            let connection = try Connection(path, mode: mode, configuration: configuration).withExtensions()
            // Reads the header, so that a file that is not a database is an error even for SQL that does not read it.
            try connection.run("PRAGMA schema_version")
            if encryption == nil { try connection.checkIsNotEncrypted() }
            return connection
        }
    }

    /// Opens the file as a `Database`, with the key of a connection that has been opened to it.
    func openDatabase(_ access: Access, as connection: Connection) throws -> Database {
        try Database(
            path, mode: access == .reading ? .readOnly : .existing,
            configuration: configuration(access, connection.configuration.encryption),
            preparation: { _ = try $0.withExtensions() })
    }

    private func opening<Result>(_ body: (Encryption?) throws -> Result) throws -> Result {
        guard let key else { return try body(nil) }
        return try key.opening(path, mayBePlain: mayBePlain, body)
    }

    private func configuration(_ access: Access, _ encryption: Encryption?) -> Configuration {
        var configuration = Configuration.sqlite.with(encryption)
        configuration.busyTimeout = .seconds(timeout)
        // Without it, REPLACE runs no DELETE trigger, and search tables and R*Trees keep the rows that it replaces.
        configuration.recursiveTriggers = access != .reading
        return configuration
    }

    /// Runs a closure and names the file in its errors.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw Failure(error, file: path) ?? error }
    }

    /// Runs a closure and names the file in its errors.
    func naming<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw Failure(error, file: path) ?? error }
    }
}

extension Configuration {
    /// Returns the configuration with the key of a file.
    func with(_ encryption: Encryption?) -> Configuration {
        var configuration = self
        configuration.encryption = encryption
        return configuration
    }
}
