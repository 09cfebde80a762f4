import CSQLite
import Foundation

extension Connection {
    /// What to expect of the file of a database.
    public enum Mode: Hashable, Sendable {
        /// Opens the database, and makes it if there is none.
        case create
        /// Makes the database; a file that is there already is an error, and is not touched.
        case createNew
        /// Opens the database; no file is an error.
        case existing
        /// Opens the database to read only; no file is an error. SQLite still lets `VACUUM INTO` write another file.
        case readOnly
    }

    /// Opens a database at a path, with the recommended configuration if none is given.
    ///
    /// The path is a path, also when it begins with `file:`. `":memory:"` and `""` are SQLite's names for a database in
    /// memory and in a temporary file.
    ///
    /// - Throws: ``SQLiteError``: code 14 when the file cannot be opened, is missing, or is there and must not be; code 26
    ///   when it is no database, which a configuration that does not look at the file leaves to the first statement.
    public convenience init(
        _ path: String, mode: Mode = .create, configuration: Configuration = .recommended
    ) throws {
        let location = StorageLocation.onDisk(path)
        var flags =
            switch mode {
            case .create, .createNew: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .existing: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        if mode == .createNew { try Self.createFile(at: path) }
        try self.init(
            path: location.plainPath, tableLockPolicy: .fastFail, flags: flags, configuration: configuration
        )
    }

    /// Makes the empty file that SQLite then takes for a new database, or fails when there is one: to look first and to
    /// open afterwards would let another process in between. To open and close the file by ourselves loses no lock of
    /// SQLite's here, because nobody can have had one on a file that did not exist.
    private static func createFile(at path: String) throws {
        guard path != ":memory:", !path.isEmpty, !path.utf8.contains(0) else { return }
        do {
            try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "there is already a file at \(path)")
        } catch {
            throw SQLiteError(
                code: SQLITE_CANTOPEN, message: "unable to make a database file: \(path)",
                hint: error.localizedDescription
            )
        }
    }
}
