/// Who can use the generated declarations.
public enum Access: String, Sendable, CaseIterable {
    /// The module of the SQL files.
    case `internal`
    /// Also modules that import it.
    case `public`

    /// The modifier, with a space after it.
    var prefix: String { self == .public ? "public " : "" }
}
