/// The location of a database.
public enum StorageLocation: Hashable, Sendable {
    /// In a file. The path is not a URI, even when it begins with `file:`, unless it is opened by
    /// ``Connection/init(storageLocation:tableLockPolicy:flags:)`` with `SQLITE_OPEN_URI`.
    case onDisk(String)

    /// In memory, until the connection is closed.
    case inMemory

    /// In a temporary file of this connection, which is deleted when the connection is closed.
    case temporary

    /// SQLite's name for the location: the path, `:memory:`, or an empty string.
    public var path: String {
        switch self {
        case .onDisk(let path): path
        case .inMemory: ":memory:"
        case .temporary: ""
        }
    }

    /// The path, written so that even an SQLite with URI names enabled does not treat it as a URI.
    var plainPath: String {
        path.hasPrefix("file:") ? "./" + path : path
    }

    /// Whether a database at the location is in a file that has a name. A path can be one of SQLite's names for the others.
    package var isFile: Bool { !path.isEmpty && path != ":memory:" }
}
