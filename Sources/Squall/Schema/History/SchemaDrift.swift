/// What is missing in a ``Schema``.
public struct SchemaDrift: Hashable, Sendable, CustomStringConvertible {
    public let changes: [TableChange]

    public var isEmpty: Bool { changes.isEmpty }

    /// The steps for the next version.
    public var description: String { changes.swiftSource }
}
