/// What ``Schema/migrate(_:to:options:waiting:progress:)`` does in special cases.
public struct MigrationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A file with a version before the first one of the schema is emptied, and begins again.
    public static let startOverFromOldVersions = Self(rawValue: 1)
    /// Versions that were edited after the file had them are no error.
    public static let ignoreEdits = Self(rawValue: 2)
    /// Versions below that of the file that the file has not had are run, the lowest first, instead of
    /// ``SchemaError/skippedVersions(_:)``: they were merged into the program later than those above them.
    public static let runSkippedVersions = Self(rawValue: 4)
    /// A file with a later version than the schema's is left as it is, instead of ``SchemaError/newerFile(version:latest:)``.
    public static let acceptNewerFiles = Self(rawValue: 8)
}
