/// Where a database is.
public enum StorageLocation: Hashable, Sendable {
    /// In a file. The path is a path, also when it begins with `file:`; SQLite's URI names need
    /// ``Connection/init(storageLocation:tableLockPolicy:flags:)`` with `SQLITE_OPEN_URI`.
    case onDisk(String)

    /// In memory, gone when the connection closes.
    case inMemory

    /// In a temporary file of its own, deleted when the connection closes.
    case temporary

    /// The name that SQLite has for it: the path, `:memory:`, or nothing.
    public var path: String {
        switch self {
        case .onDisk(let path): path
        case .inMemory: ":memory:"
        case .temporary: ""
        }
    }

    /// The path, so written that a SQLite built with URI names does not take it for one.
    var plainPath: String {
        path.hasPrefix("file:") ? "./" + path : path
    }
}
