/// A titled group of links: of topics, related types, default implementations, or pages to see also.
struct LinkGroup: Equatable, Sendable, Decodable {
    let title: String?
    let identifiers: [String]
    let anchor: String?
    /// Whether DocC made the group; `nil` for one that the author wrote.
    let generated: Bool?
    let abstract: [Inline]?
    let discussion: Section?
}
