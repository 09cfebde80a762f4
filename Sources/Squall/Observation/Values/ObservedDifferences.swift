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

/// The differences between the successive values of an observed array: see
/// ``Database/observeDifferences(keyedBy:coalescing:_:)``.
public struct ObservedDifferences<Value: Sendable, Element>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    fileprivate let values: ObservedValues<Value>
    /// Returns the difference between two values, the first of which is `nil` at the beginning; `nil` if there is none.
    fileprivate let difference: @Sendable (_ old: Value?, _ new: Value) -> Element?

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(values: values.makeAsyncIterator(), difference: difference)
    }

    /// An iteration, which observes the database until it is released.
    @_documentation(visibility: internal)
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var values: ObservedValues<Value>.AsyncIterator
        fileprivate let difference: @Sendable (Value?, Value) -> Element?
        fileprivate var last: Value?

        /// Waits for a difference. The first one has everything as inserted, also when there is nothing. A value without a difference is
        /// left out: for ``ElementDifference``, also an array whose elements have only changed their order.
        ///
        /// - Returns: The difference; `nil` when the task is cancelled, or the database closed.
        /// - Throws: The error of the closure, and ``SQLiteError`` as ``Database/read(deadline:_:)``. The sequence then ends.
        public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
            while let value = try await values.next(isolation: actor) {
                let found = difference(last, value)
                last = value
                if let found { return found }
            }
            return nil
        }
    }
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
    ) -> ObservedDifferences<[Item], ElementDifference<Item>> {
        ObservedDifferences(values: observe(coalescing: coalescing, removingDuplicates: true, fetch)) { old, new in
            let difference = ElementDifference(from: old ?? [], to: new) { $0[keyPath: key] }
            return old != nil && difference.isEmpty ? nil : difference
        }
    }

    /// Returns what has changed in the array that a closure reads, arranged in sections: the positions of the sections and the items that
    /// were inserted, removed, moved and updated, after each change that concerns them. The first difference has all sections as inserted.
    ///
    ///     let differences = database.observeDifferences(
    ///         keyedBy: \.id, sectionedBy: { $0.name.prefix(1) }
    ///     ) {
    ///         try $0.all(Car.order { $0.name })
    ///     }
    ///
    /// The order of the array decides the order of the sections and of their items: see `sectioned(by:)`.
    /// ``SectionDifference`` describes how a list follows.
    ///
    /// - Parameters:
    ///   - key: A property that tells the items apart. Of items with the same key, the first one counts: the sections do not have the others.
    ///   - section: Returns the key of the section of an item. It runs on the reader.
    ///   - coalescing: The time to wait for further changes before the closure runs again.
    ///   - fetch: Reads the array, as that of ``observe(coalescing:_:)``.
    public func observeDifferences<
        Item: Sendable & Equatable, Key: Hashable & SendableMetatype, SectionKey: Hashable & Sendable
    >(
        keyedBy key: any KeyPath<Item, Key> & Sendable, sectionedBy section: @escaping @Sendable (Item) -> SectionKey,
        coalescing: Duration = .zero, _ fetch: @escaping @Sendable (Connection) throws -> [Item]
    ) -> ObservedDifferences<Sections<SectionKey, Item>, SectionDifference<SectionKey, Item>> {
        let values = observe(coalescing: coalescing, removingDuplicates: true) { connection in
            var keys: Set<Key> = []
            return try fetch(connection).filter { keys.insert($0[keyPath: key]).inserted }.sectioned(by: section)
        }
        return ObservedDifferences(values: values) { old, new in
            let difference = SectionDifference(from: old ?? [].sectioned(by: section), to: new) { $0[keyPath: key] }
            return old != nil && difference.isEmpty ? nil : difference
        }
    }
}
