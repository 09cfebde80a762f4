/// The target of a link, as a page describes it.
enum Reference: Equatable, Sendable {
    case topic(Topic)
    case web(address: String, title: [Inline])
    /// A symbol of another module, which has no page.
    case external(title: String)
    case image(Image)
}

/// A picture: its text for those who do not see it, and its files.
struct Image: Equatable, Sendable {
    let alternative: String
    /// The address of the file in the archive.
    let url: String
    /// The address of the file for a dark page.
    let darkURL: String?
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
        case topic, link, unresolvable, image
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind: Kind = try container.decodeKind("reference", forKey: .type)
        switch kind {
        case .topic: self = .topic(try Topic(from: decoder))
        case .image: self = .image(try Image(from: decoder))
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

extension Image: Decodable {
    private enum CodingKeys: String, CodingKey {
        case alt, variants
    }

    private struct Variant: Decodable {
        let traits: [String]
        let url: String
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let variants = try container.decode([Variant].self, forKey: .variants)
        alternative = try container.decodeIfPresent(String.self, forKey: .alt) ?? ""
        darkURL = variants.first { $0.traits.contains("dark") }?.url
        guard let url = variants.first(where: { !$0.traits.contains("dark") })?.url ?? darkURL else {
            throw DecodingError.dataCorruptedError(
                forKey: .variants, in: container, debugDescription: "an image has no file")
        }
        self.url = url
    }
}
