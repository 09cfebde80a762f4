import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// The way in which a database file is opened or created.
    public enum Mode: Hashable, Sendable {
        /// Opens the database, and creates it if it does not exist.
        case create
        /// Creates the database. An existing file is an error, and is not changed.
        case createNew
        /// Opens the database. A missing file is an error.
        case existing
        /// Opens the database read-only. A missing file is an error. SQLite still lets `VACUUM INTO` write another file.
        case readOnly
        /// Opens the database read-only, without locks and without files beside it. A missing file is an error.
        ///
        /// For a file that does not change while it is open, for instance in an application bundle or on a read-only
        /// medium. SQLite neither notices changes nor reads a write-ahead log or a journal: a log or journal with changes
        /// is an error.
        case immutable
    }

    /// Opens a database at a path, with the recommended configuration if none is given.
    ///
    /// The path is not a URI, even when it begins with `file:`. `":memory:"` and `""` are SQLite's names for a database
    /// in memory and in a temporary file.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) when the file cannot be opened, is missing, or exists although
    ///   it must not; `SQLITE_NOTADB` (26) when it is not a database. The first statement throws the latter if the
    ///   configuration does not read the file.
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

    /// Throws if a log or a journal beside a database has changes that are not in the database file.
    private static func refuseChanges(beside path: String) throws {
        for suffix in ["-wal", "-journal"] {
            guard let file = fopen(path + suffix, "r") else { continue }
            defer { fclose(file) }
            let byte = fgetc(file)
            // A journal that is kept after its transaction begins with zeros.
            guard byte != EOF, suffix == "-wal" || byte != 0 else { continue }
            throw SQLiteError(
                FileProblem.hasUnappliedChanges, of: .file(path + suffix),
                hint: "an immutable database is read without them: open and close it once with mode .existing")
        }
    }

    /// Creates an empty file, which SQLite treats as a new database, or throws if the file exists. If this first
    /// checked and then created the file, another process could create it in between.
    ///
    /// Closing a file releases the locks that SQLite has on it in this process. No connection can have locked this one,
    /// because it did not exist.
    private static func createFile(at path: String) throws {
        guard path != ":memory:", !path.isEmpty, !path.utf8.contains(0) else { return }
        do {
            try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw SQLiteError(FileProblem.exists, of: .file(path))
        } catch {
            throw SQLiteError(
                code: SQLITE_CANTOPEN, message: "unable to make a database file: \(path)",
                hint: OpeningFailure.hint(path, flags: SQLITE_OPEN_CREATE)
            )
        }
    }
}

extension Connection.Mode {
    /// Returns the name of a file for `sqlite3_open_v2`: a path, or a URI for `immutable`.
    func name(of path: String) -> String {
        let path = StorageLocation.onDisk(path).plainPath
        guard self == .immutable else { return path }
        let encoded = path.utf8.reduce(into: "") { $0 += Self.percentEncoded($1) }
        // In a URI, an absolute path follows an authority, which is empty here.
        return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded)?immutable=1"
    }

    /// Returns a byte of a path as it is written in a URI.
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

    /// The mode for further connections that read the database of a connection with this mode.
    var forReading: Self { self == .immutable ? .immutable : .readOnly }
}
