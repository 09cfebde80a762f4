/// The target of a link, as a page describes it.
enum Reference: Equatable, Sendable {
    case topic(Topic)
    case web(address: String, title: [Inline])
    /// A symbol of another module, which has no page.
    case external(title: String)
}

/// A page, or a heading of a page.
struct Topic: Equatable, Sendable, Decodable {
    let title: String
    let url: String
    let kind: String
    var abstract: [Inline]?
    var fragments: [Token]?
    var conformance: Conformance?
    var required: Bool?
    var deprecated: Bool?
    var defaultImplementations: Int?

    var isSymbol: Bool { kind == "symbol" }
}

/// The constraints under which a symbol is available.
struct Conformance: Equatable, Sendable, Decodable {
    let availabilityPrefix: [Inline]
    let constraints: [Inline]
}

extension Reference: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, title, titleInlineContent, url
    }

    private enum Kind: String {
        case topic, link, unresolvable
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind: Kind = try container.decodeKind("reference", forKey: .type)
        switch kind {
        case .topic: self = .topic(try Topic(from: decoder))
        case .unresolvable: self = .external(title: try container.decode(String.self, forKey: .title))
        case .link:
            let title = try container.decodeIfPresent([Inline].self, forKey: .titleInlineContent)
            self = .web(
                address: try container.decode(String.self, forKey: .url),
                title: try title ?? [.text(container.decode(String.self, forKey: .title))]
            )
        }
    }
}
