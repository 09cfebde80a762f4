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

/// The differences between the successive values of an observed array: see
/// ``Database/observeDifferences(keyedBy:coalescing:_:)``.
public struct ObservedDifferences<Item: Sendable & Equatable, Key: Hashable & SendableMetatype>: AsyncSequence, Sendable
{
    public typealias Failure = any Error

    fileprivate let values: ObservedValues<[Item]>
    fileprivate let key: @Sendable (Item) -> Key

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(values: values.makeAsyncIterator(), key: key)
    }

    /// An iteration, which observes the database until it is released.
    @_documentation(visibility: internal)
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var values: ObservedValues<[Item]>.AsyncIterator
        fileprivate let key: @Sendable (Item) -> Key
        fileprivate var last: [Item] = []
        fileprivate var hasBegun = false

        /// Waits for a difference. The first one has all elements as inserted, also when there are none. An array whose elements
        /// have only changed their order has no difference, and is left out.
        ///
        /// - Returns: The difference; `nil` when the task is cancelled, or the database closed.
        /// - Throws: The error of the closure, and ``SQLiteError`` as ``Database/read(deadline:_:)``. The sequence then ends.
        public mutating func next() async throws -> ElementDifference<Item>? {
            try await next(isolation: #isolation)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ElementDifference<Item>? {
            while let elements = try await values.next(isolation: actor) {
                let difference = ElementDifference(from: last, to: elements, keyedBy: key)
                last = elements
                defer { hasBegun = true }
                if !hasBegun || !difference.isEmpty { return difference }
            }
            return nil
        }
    }
}

extension ElementDifference {
    /// Whether nothing was inserted, removed or updated.
    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && updated.isEmpty }
}

extension Database {
    /// Returns what has changed in the array that a closure reads: the elements that were inserted, removed and updated, after each change
    /// that concerns them. The first difference has all elements as inserted.
    ///
    ///     let differences = database.observeDifferences(keyedBy: \.id) { try $0.all(Car.self) }
    ///     for try await difference in differences {
    ///         list.remove(difference.removed)
    ///         list.insert(difference.inserted)
    ///         list.update(difference.updated)
    ///     }
    ///
    /// - Parameters:
    ///   - key: A property that tells the elements apart. Of elements with the same key, the first one counts.
    ///   - coalescing: The time to wait for further changes before the closure runs again.
    ///   - fetch: Reads the array, as that of ``observe(coalescing:_:)``.
    public func observeDifferences<Item: Sendable & Equatable, Key: Hashable & SendableMetatype>(
        keyedBy key: any KeyPath<Item, Key> & Sendable, coalescing: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> [Item]
    ) -> ObservedDifferences<Item, Key> {
        ObservedDifferences(
            values: observe(coalescing: coalescing, removingDuplicates: true, fetch), key: { $0[keyPath: key] })
    }
}
