/// Items in sections, as a list shows them: `sectioned(by:)` makes them of an array.
///
///     List {
///         ForEach(cars) { section in
///             Section(section.id) { ForEach(section.items) { Text($0.name) } }
///         }
///     }
public struct Sections<Key: Hashable, Item>: RandomAccessCollection {
    /// Items whose sections have the same key.
    public struct Section: Identifiable {
        /// The key of the section, which no other section has.
        public let id: Key
        /// The items, in the order of the array.
        public internal(set) var items: [Item]
    }

    private var sections: [Section] = []

    init(_ items: [Item], by key: (Item) throws -> Key) rethrows {
        var positions: [Key: Int] = [:]
        for item in items {
            let key = try key(item)
            if let position = positions[key] {
                sections[position].items.append(item)
            } else {
                positions[key] = sections.count
                sections.append(Section(id: key, items: [item]))
            }
        }
    }

    @_documentation(visibility: internal)
    public var startIndex: Int { 0 }

    @_documentation(visibility: internal)
    public var endIndex: Int { sections.count }

    @_documentation(visibility: internal)
    public subscript(position: Int) -> Section { sections[position] }
}

extension Sections: Sendable where Key: Sendable, Item: Sendable {}
extension Sections.Section: Sendable where Key: Sendable, Item: Sendable {}
extension Sections: Equatable where Item: Equatable {}
extension Sections.Section: Equatable where Item: Equatable {}

extension Array {
    /// Returns the elements in sections, by the key of each one's section. Sections and items are in the order of the array, and so that of
    /// the ORDER BY of a query: a section is where its first item is.
    ///
    ///     let cars = database.observe {
    ///         try $0.all(Car.order { $0.name }).sectioned { $0.name.prefix(1) }
    ///     }
    ///
    /// - Parameter key: A property, as in `sectioned(by: \.make)`, or a closure.
    /// - Throws: The error of the closure.
    public func sectioned<Key: Hashable>(by key: (Element) throws -> Key) rethrows -> Sections<Key, Element> {
        try Sections(self, by: key)
    }
}
