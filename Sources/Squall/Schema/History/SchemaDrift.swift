/// A difference between a history and what an annex declares. Its description is the steps that make it.
package protocol AnnexChange: Hashable, Sendable, CustomStringConvertible {}

/// The changes that the versions of a ``Schema`` lack to reach the declared tables.
public struct SchemaDrift: Hashable, Sendable, CustomStringConvertible {
    public let changes: [TableChange]
    /// The changes of what annexes declare.
    package let annexChanges: [any AnnexChange]

    public var isEmpty: Bool { changes.isEmpty && annexChanges.isEmpty }

    /// The steps of the next version, as Swift source.
    @_documentation(visibility: internal)
    public var description: String {
        ((changes.isEmpty ? [] : [changes.swiftSource]) + annexChanges.map(\.description)).joined(separator: "\n")
    }

    public static func == (left: SchemaDrift, right: SchemaDrift) -> Bool {
        left.changes == right.changes && left.hashedChanges == right.hashedChanges
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(changes)
        hasher.combine(hashedChanges)
    }

    private var hashedChanges: [AnyHashable] { annexChanges.map { AnyHashable($0) } }
}
