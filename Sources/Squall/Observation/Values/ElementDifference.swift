/// The difference between two successive values of an observed array, by the keys of its elements.
public struct ElementDifference<Element> {
    /// The elements whose key is new, in the order of the new array.
    public let inserted: [Element]
    /// The elements whose key is gone, in the order of the old array.
    public let removed: [Element]
    /// The elements that are not equal to the one with their key before, in the order of the new array.
    public let updated: [Element]
    /// The new array.
    public let elements: [Element]

    /// Whether nothing was inserted, removed or updated.
    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && updated.isEmpty }

    init<Key: Hashable>(from old: [Element], to new: [Element], keyedBy key: (Element) -> Key)
    where Element: Equatable {
        let before = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
        var keys: Set<Key> = []
        let unique = new.filter { keys.insert(key($0)).inserted }
        inserted = unique.filter { before[key($0)] == nil }
        updated = unique.filter { element in before[key(element)].map { $0 != element } ?? false }
        removed = old.filter { keys.insert(key($0)).inserted }
        elements = new
    }
}

extension ElementDifference: Sendable where Element: Sendable {}
extension ElementDifference: Equatable where Element: Equatable {}
