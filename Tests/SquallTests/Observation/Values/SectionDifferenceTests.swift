import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Differences between arrays in sections. In the texts, `a1 b1` are items of the sections `a` and `b`, whose key is the rest.
struct SectionDifferenceTests {
    /// An item. Two with the same key are unequal where their values are.
    private struct Item: Equatable {
        let section: String
        let key: Int
        var value = 0
    }

    private static func sections(_ text: String) -> Sections<String, Item> {
        text.split(separator: " ").map { word in
            Item(section: "\(word.prefix(1))", key: Int(word.dropFirst().prefix(1)) ?? 0, value: word.count)
        }.sectioned(by: \.section)
    }

    private static func difference(_ old: String, _ new: String) -> SectionDifference<String, Item> {
        SectionDifference(from: sections(old), to: sections(new), keyedBy: \.key)
    }

    /// Writes positions: `0.1` is the second item of the first section.
    private static func text(_ paths: [IndexPath]) -> String {
        paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ")
    }

    private static func text(_ difference: SectionDifference<String, Item>) -> String {
        let moves = difference.moved.map { "\(text([$0.from]))>\(text([$0.to]))" }.joined(separator: " ")
        let parts: [(String, String)] = [
            ("sections -", difference.removedSections.map { "\($0)" }.joined(separator: " ")),
            ("sections +", difference.insertedSections.map { "\($0)" }.joined(separator: " ")),
            ("-", text(difference.removed)), ("+", text(difference.inserted)), ("moved ", moves),
            ("updated ", text(difference.updated)),
        ]
        return parts.filter { !$1.isEmpty }.map { $0 + $1 }.joined(separator: ", ")
    }

    @Test(
        arguments: [
            ("", "", ""),
            ("a1 b2", "a1 b2", ""),
            ("", "a1 b2 a3", "sections +0 1"),
            ("a1 b2", "", "sections -0 1"),
            ("a1 b2", "a1 a3 b2", "+0.1"),
            ("a1 a3 b2", "a3 b2", "-0.0"),
            ("a1 b2", "a1 c3 b2", "sections +1"),
            ("a1 c3 b2", "a1 b2", "sections -1"),
            // One of two neighbours moves.
            ("a1 a2 a3", "a2 a3 a1", "moved 0.0>0.2"),
            ("a1 a2 a3", "a3 a2 a1", "moved 0.2>0.0 0.1>0.1"),
            // From one section to another.
            ("a1 a2 b3", "a1 b2 b3", "moved 0.1>1.0, updated 1.0"),
            ("a1 a2", "a1 a2!", "updated 0.1"),
            ("a1 a2", "a2! a1", "moved 0.1>0.0, updated 0.0"),
            // Into a new section, and out of one that is removed: the section has the item.
            ("a1 a2", "a1 b2", "sections +1, -0.1"),
            ("a1 b2", "a1 a2", "sections -1, +0.1"),
            ("a1", "b1", "sections -0, sections +0"),
            // A section that has changed its place.
            ("a1 b2 c3", "c3 a1 b2", "sections -2, sections +0"),
            ("a1 b2 c3 a4", "b2 c3 a1", "sections -0, sections +2"),
        ])
    func differences(old: String, new: String, text: String) {
        let difference = Self.difference(old, new)
        #expect(Self.text(difference) == text)
        #expect(difference.isEmpty == text.isEmpty)
        #expect(difference.sections == Self.sections(new))
    }

    /// Follows a difference in the documented order.
    private static func apply(
        _ difference: SectionDifference<String, Item>, to old: Sections<String, Item>
    ) -> [(id: String, items: [Item])] {
        let new = difference.sections
        var list = old.map { (id: $0.id, items: $0.items) }
        for path in (difference.removed + difference.moved.map(\.from)).sorted().reversed() {
            list[path[0]].items.remove(at: path[1])
        }
        for position in difference.removedSections.reversed() { list.remove(at: position) }
        for position in difference.insertedSections {
            list.insert((new[position].id, new[position].items), at: position)
        }
        let moved = difference.moved.map { ($0.to, old[$0.from[0]].items[$0.from[1]]) }
        let inserted = difference.inserted.map { ($0, new[$0[0]].items[$0[1]]) }
        for (path, item) in (inserted + moved).sorted(by: { $0.0 < $1.0 }) {
            list[path[0]].items.insert(item, at: path[1])
        }
        for path in difference.updated { list[path[0]].items[path[1]] = new[path[0]].items[path[1]] }
        return list
    }

    /// Each difference, applied to the old value, gives the new one; also with moves between sections, and sections that are emptied.
    @Test func aDifferenceGivesTheNewValue() {
        let rounds = ProcessInfo.processInfo.environment["SQUALL_ROUNDS"] == "all" ? 20_000 : 2_000
        var generator = TestSeed.of().generator()
        var old = Sections<String, Item>([], by: \.section)
        var counts = (moves: 0, changes: 0)
        for _ in 0..<rounds {
            let new = Self.change(old.flatMap(\.items), with: &generator).sectioned(by: \.section)
            let difference = SectionDifference(from: old, to: new, keyedBy: \.key)
            let list = Self.apply(difference, to: old)
            #expect(list.map(\.id) == new.map(\.id))
            #expect(list.map(\.items) == new.map(\.items))
            #expect(difference.isEmpty == (old == new))
            counts.moves += difference.moved.count(where: { $0.from[0] != $0.to[0] })
            counts.changes += difference.updated.count
            old = new
        }
        #expect(counts.moves > rounds / 20 && counts.changes > rounds / 20)
    }

    /// Removes, inserts, moves and changes some items.
    private static func change(_ items: [Item], with generator: inout SeededGenerator) -> [Item] {
        let sections = ["a", "b", "c", "d", "e"]
        if generator.chance(3) { return [] }
        var items = items.filter { _ in !generator.chance(15) }
        if generator.chance(10) { items.shuffle(using: &generator) }
        for index in items.indices where generator.chance(15) {
            items[index] = Item(
                section: generator.chance(50) ? generator.pick(sections) : items[index].section, key: items[index].key,
                value: Int.random(in: 0..<3, using: &generator))
        }
        for key in 0..<30 where generator.chance(8) && !items.contains(where: { $0.key == key }) {
            let index = Int.random(in: 0...items.count, using: &generator)
            items.insert(Item(section: generator.pick(sections), key: key), at: index)
        }
        if generator.chance(30), items.count > 1 {
            items.insert(items.removeFirst(), at: Int.random(in: 0..<items.count, using: &generator))
        }
        return items
    }
}
