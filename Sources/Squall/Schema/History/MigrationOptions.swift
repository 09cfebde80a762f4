/// Options of ``Schema/migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)`` for special cases.
public struct MigrationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A file whose version is before the schema's first one is emptied and starts again.
    public static let startOverFromOldVersions = Self(rawValue: 1)
    /// Versions that were edited after the file ran them are not reported as errors.
    public static let ignoreEdits = Self(rawValue: 2)
    /// Versions below the file's version that the file never ran are run, in ascending order. Otherwise they throw
    /// ``SchemaError/skippedVersions(_:)``. Such versions were merged into the program later than those above them.
    public static let runSkippedVersions = Self(rawValue: 4)
    /// A file with a later version than the schema is left unchanged, instead of throwing
    /// ``SchemaError/newerFile(version:latest:)``.
    public static let acceptNewerFiles = Self(rawValue: 8)
}
