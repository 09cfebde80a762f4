/// An index of the schema that no query uses.
public struct UnusedIndex: Hashable, Sendable {
    public let name: String
    public let table: String
    /// Whether the index is also a constraint, which dropping it would remove.
    public let isUnique: Bool
}
