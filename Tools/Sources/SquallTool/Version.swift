import Squall

/// The version that `squall --version` prints.
enum Version {
    /// The number of the release in `CHANGELOG.md`; between two releases, "development".
    private static let release = "development"

    /// `squall development (SQLite 3.40.1)`
    static var text: String { "squall \(release)\(library.map { " (SQLite \($0))" } ?? "")" }

    private static var library: String? {
        try? Connection(":memory:", configuration: .sqlite).query("SELECT sqlite_version()")
    }
}
