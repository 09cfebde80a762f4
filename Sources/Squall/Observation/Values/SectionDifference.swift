#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The difference between two successive values of an observed array in sections, by the keys of its items: see
/// ``Database/observeDifferences(keyedBy:sectionedBy:coalescing:_:)``.
///
/// A list that shows the old value shows the new one after these steps:
/// 1. Remove the items at ``removed``, and those at `from` of ``moved``, the last one first.
/// 2. Remove the sections at ``removedSections``, the last one first.
/// 3. Insert the sections at ``insertedSections`` with all their items, the first one first.
/// 4. Insert the items at ``inserted``, and those at `to` of ``moved``, the first one first.
/// 5. Reload the items at ``updated``.
///
/// The first two steps have positions of the old value, and the others those of the new one. UIKit does these steps for the calls of one batch
/// of updates, in whatever order they are made, except for the last one: reload after the batch.
///
///     collection.performBatchUpdates {
///         cars = difference.sections
///         collection.deleteItems(at: difference.removed)
///         collection.deleteSections(IndexSet(difference.removedSections))
///         collection.insertSections(IndexSet(difference.insertedSections))
///         collection.insertItems(at: difference.inserted)
///         for move in difference.moved { collection.moveItem(at: move.from, to: move.to) }
///     }
///     collection.reconfigureItems(at: difference.updated)
///
/// A position is an `IndexPath` of two numbers: that of the section, and that of the item in it.
public struct SectionDifference<Key: Hashable, Item> {
    /// The sections that are removed with all their items: positions in the old value, in ascending order. A section that has changed its
    /// place among the others is removed and inserted.
    public private(set) var removedSections: [Int] = []
    /// The sections that are inserted with all their items: positions in the new value, in ascending order.
    public private(set) var insertedSections: [Int] = []
    /// The items that are removed from sections that stay: positions in the old value, in ascending order.
    public private(set) var removed: [IndexPath] = []
    /// The items that are inserted into sections that stay: positions in the new value, in ascending order.
    public private(set) var inserted: [IndexPath] = []
    /// The items that change their place among others, or go from one section that stays to another one: `from` is a position in the old
    /// value, and `to` one in the new value. In ascending order of `to`.
    public private(set) var moved: [(from: IndexPath, to: IndexPath)] = []
    /// The items in sections that stay which are not equal to the item with their key before, also where they are moved: positions in the
    /// new value, in ascending order.
    public private(set) var updated: [IndexPath] = []
    /// The new value.
    public let sections: Sections<Key, Item>

    /// Whether nothing was inserted, removed, moved or updated.
    public var isEmpty: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && removed.isEmpty && inserted.isEmpty && moved.isEmpty
            && updated.isEmpty
    }

    /// - Parameter key: Returns the key of an item, which no other item of a value has.
    init<ItemKey: Hashable>(
        from old: Sections<Key, Item>, to new: Sections<Key, Item>, keyedBy key: (Item) -> ItemKey
    ) where Item: Equatable {
        sections = new
        let former = Dictionary(old.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let staying = new.compactMap { former[$0.id] }.longestAscending
        var places: [ItemKey: IndexPath] = [:]
        for position in staying {
            for (index, item) in old[position].items.enumerated() { places[key(item)] = [position, index] }
        }
        removedSections = old.indices.filter { !staying.contains($0) }
        for (position, section) in new.enumerated() {
            if let former = former[section.id], staying.contains(former) {
                addItems(of: position, from: section.items.map { places.removeValue(forKey: key($0)) }, former, in: old)
            } else {
                insertedSections.append(position)
            }
        }
        removed = places.values.sorted()
    }

    /// Adds the differences of a section that stays.
    ///
    /// - Parameters:
    ///   - origins: The old positions of its items; `nil` for those that are inserted.
    ///   - former: The old position of the section.
    private mutating func addItems(
        of position: Int, from origins: [IndexPath?], _ former: Int, in old: Sections<Key, Item>
    ) where Item: Equatable {
        let staying = origins.compactMap { $0?[0] == former ? $0?[1] : nil }.longestAscending
        for (index, item) in sections[position].items.enumerated() {
            let place: IndexPath = [position, index]
            guard let origin = origins[index] else {
                inserted.append(place)
                continue
            }
            if origin[0] != former || !staying.contains(origin[1]) { moved.append((from: origin, to: place)) }
            if old[origin[0]].items[origin[1]] != item { updated.append(place) }
        }
    }
}

extension SectionDifference: Sendable where Key: Sendable, Item: Sendable {}

extension [Int] {
    /// The longest part of these different numbers that ascends.
    fileprivate var longestAscending: Set<Int> {
        // For each length, the index of the lowest number with which an ascending part of this length ends.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (index, number) in enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var numbers: Set<Int> = []
        var last = ends.last
        while let index = last {
            numbers.insert(self[index])
            last = previous[index]
        }
        return numbers
    }
}
