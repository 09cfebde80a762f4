/// The changes that the versions of a ``Schema`` lack to reach the declared tables.
public struct SchemaDrift: Hashable, Sendable, CustomStringConvertible {
    public let changes: [TableChange]
    /// The changes of declared search tables.
    public let searchTables: [SearchTableChange]

    public var isEmpty: Bool { changes.isEmpty && searchTables.isEmpty }

    /// The steps of the next version, as Swift source.
    public var description: String {
        ((changes.isEmpty ? [] : [changes.swiftSource]) + searchTables.map(\.description)).joined(separator: "\n")
    }
}
