import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Database {
    /// Opens a new database in a temporary file, which is removed with the object. In contrast to a database in memory, it
    /// has several connections: reads run beside writes.
    ///
    ///     let database = try Database.temporary()
    ///
    /// The file is in a new folder of the temporary folder, which only the user can read. It is removed when the last
    /// reference to the database has been released, and not when the process is killed.
    ///
    /// - Parameters:
    ///   - configuration: The settings of each connection.
    ///   - maximumReaders: The maximum number of readers; `nil` for ``ConnectionPool/defaultMaximum``.
    ///   - preparation: A closure that is called with each new connection.
    /// - Throws: ``SQLiteError``, `SQLITE_CANTOPEN` (14), when the file cannot be created; the error of the preparation.
    public static func temporary(
        configuration: Configuration = .recommended, maximumReaders: Int? = nil,
        preparation: (@Sendable (Connection) throws -> Void)? = nil
    ) throws -> Database {
        let folder = try TemporaryFolder()
        return try Database(
            folder.path + "/temporary.db", mode: .createNew, configuration: configuration,
            maximumReaders: maximumReaders, drainDelay: 1, preparations: Preparations(all: preparation), folder: folder
        )
    }
}

/// A new folder in the temporary folder, which is removed with the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("squall-" + UUID().uuidString)
        path = url.path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "unable to make a temporary folder: \(path)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
