import Squall

/// The version that `squall --version` prints.
enum Version {
    /// `squall 0.1.0 (SQLite 3.40.1)`
    static var text: String { "squall \(SquallVersion.current)\(library.map { " (SQLite \($0))" } ?? "")" }

    private static var library: String? {
        try? Connection(":memory:", configuration: .sqlite).query("SELECT sqlite_version()")
    }
}
