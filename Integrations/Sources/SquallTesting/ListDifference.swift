/// The positions at which two lists differ: of the elements that only the first has, and of those that only the second
/// has.
struct ListDifference {
    private let removed: Set<Int>
    private let inserted: Set<Int>

    /// Compares two lists in order. An element that only one of them has does not make those after it differ.
    init<Element: Equatable>(from old: [Element], to new: [Element]) {
        let difference = new.difference(from: old)
        removed = Set(difference.removals.map(\.offset))
        inserted = Set(difference.insertions.map(\.offset))
    }

    /// Compares two lists in any order. Equal elements are counted.
    init<Element: Hashable>(inAnyOrderFrom old: [Element], to new: [Element]) {
        removed = Self.surplus(of: old, over: new)
        inserted = Self.surplus(of: new, over: old)
    }

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

    private static func surplus<Element: Hashable>(of list: [Element], over other: [Element]) -> Set<Int> {
        var counts = Dictionary(other.map { ($0, 1) }, uniquingKeysWith: +)
        var positions: Set<Int> = []
        for (index, element) in list.enumerated() {
            let count = counts[element, default: 0]
            if count > 0 { counts[element] = count - 1 } else { positions.insert(index) }
        }
        return positions
    }

    /// Returns the lines of the first list, with `>` at those that differ.
    func markedOld(_ lines: [String]) -> [String] { Self.marked(lines, removed) }

    /// Returns the lines of the second list, with `>` at those that differ.
    func markedNew(_ lines: [String]) -> [String] { Self.marked(lines, inserted) }

    private static func marked(_ lines: [String], _ positions: Set<Int>) -> [String] {
        if lines.isEmpty { return ["    (none)"] }
        return lines.enumerated().map { (positions.contains($0.offset) ? "  > " : "    ") + $0.element }
    }
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
