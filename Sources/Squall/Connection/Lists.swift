/// A reference that does not keep its object.
package struct WeakReference<Referent: AnyObject & Sendable>: Sendable {
    package private(set) weak var object: Referent?

    package init(_ object: Referent?) { self.object = object }
}

/// Objects in the order in which they were added, as long as others keep them.
struct WeakList<Referent: AnyObject & Sendable>: Sendable {
    private let entries = Locked<[WeakReference<Referent>]>([])

    func insert(_ object: Referent) {
        entries.withLock { entries in
            entries.removeAll { $0.object == nil }
            entries.append(WeakReference(object))
        }
    }

    var all: [Referent] { entries.withLock { $0.compactMap(\.object) } }
}

/// Elements in the order in which they were added. Each can be removed by its number.
struct NumberedList<Element> {
    private(set) var entries: [(number: Int, element: Element)] = []
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }
    var elements: [Element] { entries.map(\.element) }

    /// - Returns: The number by which the element is removed, from 1.
    mutating func add(_ element: Element) -> Int {
        last += 1
        entries.append((last, element))
        return last
    }

    mutating func remove(_ number: Int) { entries.removeAll { $0.number == number } }

    mutating func removeAll() -> [Element] {
        defer { entries = [] }
        return elements
    }
}
