/// A piece of a line of text.
indirect enum Inline: Equatable, Sendable {
    case text(String)
    case code(String)
    case styled(Style, [Inline])
    case reference(InlineReference)
    /// An image, by its identifier.
    case image(String)

    enum Style: String, Sendable {
        case emphasis, strong, strikethrough, `subscript`, superscript
    }
}

/// A link in a line of text, by the identifier of its target.
struct InlineReference: Equatable, Sendable, Decodable {
    let identifier: String
    let isActive: Bool
    /// The text that the author gave the link.
    var overridingTitleInlineContent: [Inline]?
}

extension Inline: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, text, code, inlineContent, identifier
    }

    private enum Kind: String {
        case text, codeVoice, reference, image, emphasis, strong, strikethrough, `subscript`, superscript
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind: Kind = try container.decodeKind("inline", forKey: .type)
        switch kind {
        case .text: self = .text(try container.decode(String.self, forKey: .text))
        case .codeVoice: self = .code(try container.decode(String.self, forKey: .code))
        case .reference: self = .reference(try InlineReference(from: decoder))
        case .image: self = .image(try container.decode(String.self, forKey: .identifier))
        case .emphasis: self = .styled(.emphasis, try container.decode([Inline].self, forKey: .inlineContent))
        case .strong: self = .styled(.strong, try container.decode([Inline].self, forKey: .inlineContent))
        case .strikethrough: self = .styled(.strikethrough, try container.decode([Inline].self, forKey: .inlineContent))
        case .subscript: self = .styled(.subscript, try container.decode([Inline].self, forKey: .inlineContent))
        case .superscript: self = .styled(.superscript, try container.decode([Inline].self, forKey: .inlineContent))
        }
    }
}
