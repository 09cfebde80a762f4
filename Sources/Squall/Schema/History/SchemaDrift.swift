/// The changes that the versions of a ``Schema`` lack to reach the declared tables.
public struct SchemaDrift: Hashable, Sendable, CustomStringConvertible {
    public let changes: [TableChange]

    public var isEmpty: Bool { changes.isEmpty }

    /// The steps of the next version, as Swift source.
    public var description: String { changes.swiftSource }
}
