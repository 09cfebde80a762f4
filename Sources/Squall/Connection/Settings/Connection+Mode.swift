import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        /// Opens the database to read only, without locks and without files beside it: for a file that nobody changes while it
        /// is open, in an application bundle or on a medium that cannot be written. No file is an error.
        ///
        /// SQLite neither notices changes nor reads a write-ahead log or a journal: one that has changes is an error.
        case immutable
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
        guard !path.utf8.contains(0) else { throw Self.pathWithNULError }
        switch mode {
        case .createNew: try Self.createFile(at: path)
        case .immutable: try Self.refuseChanges(beside: path)
        case .create, .existing, .readOnly: break
        }
        try self.init(
            path: mode.name(of: path), tableLockPolicy: .fastFail, flags: mode.flags, configuration: configuration
        )
    }

    /// Throws for a file beside a database with changes that are not in the database itself.
    private static func refuseChanges(beside path: String) throws {
        for suffix in ["-wal", "-journal"] {
            guard let file = fopen(path + suffix, "r") else { continue }
            defer { fclose(file) }
            let byte = fgetc(file)
            // A journal that is kept after its transaction begins with zeros.
            guard byte != EOF, suffix == "-wal" || byte != 0 else { continue }
            throw SQLiteError(
                code: SQLITE_CANTOPEN, message: "the database has changes that are not in its file: \(path)\(suffix)",
                hint: "an immutable database is read without them: open and close it once with mode .existing"
            )
        }
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
                hint: OpeningFailure.hint(path, flags: SQLITE_OPEN_CREATE)
            )
        }
    }
}

extension Connection.Mode {
    /// The name by which SQLite opens a path.
    func name(of path: String) -> String {
        let path = StorageLocation.onDisk(path).plainPath
        guard self == .immutable else { return path }
        let encoded = path.utf8.reduce(into: "") { $0 += Self.percentEncoded($1) }
        // An absolute path comes after an authority, which is empty.
        return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded)?immutable=1"
    }

    /// A byte of a path in a URI.
    private static func percentEncoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            String(Unicode.Scalar(byte))
        default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// The flags of `sqlite3_open_v2`.
    var flags: Int32 {
        let access =
            switch self {
            case .create, .createNew: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .existing: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        return access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    }

    /// The mode of further connections that only read what a connection of this mode has opened.
    var forReading: Self { self == .immutable ? .immutable : .readOnly }
}
