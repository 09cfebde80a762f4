/// The version of Squall that a program was built with.
public enum SquallVersion {
    // Swift 6.3 leaves names that begin with the module's and `Version` out of symbol graphs: only the guides have this one.

    /// Its number in the changelog, `"0.1.0"`. Between two releases, that of the next one with `-dev`.
    public static let current = "0.2.0-dev"
}
