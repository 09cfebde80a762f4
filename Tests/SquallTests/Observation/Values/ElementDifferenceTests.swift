import Testing

@testable import Squall

/// Differences between arrays, by the keys of their elements.
struct ElementDifferenceTests {
    private struct Item: Equatable {
        let key: Int
        var value = 0
    }

    private static func difference(_ old: [Item], _ new: [Item]) -> ElementDifference<Item> {
        ElementDifference(from: old, to: new, keyedBy: \.key)
    }

    @Test func itIsEmptyWhereNothingHasChanged() {
        let (one, two) = (Item(key: 1), Item(key: 2))
        #expect(Self.difference([], []).isEmpty)
        #expect(Self.difference([one, two], [one, two]).isEmpty)
        #expect(!Self.difference([one], [one, two]).isEmpty)
        #expect(!Self.difference([one, two], [two]).isEmpty)
        let updated = Self.difference([one, two], [one, Item(key: 2, value: 5)])
        #expect(!updated.isEmpty && updated.updated == [Item(key: 2, value: 5)])
        #expect(updated.inserted.isEmpty && updated.removed.isEmpty)
    }
}
