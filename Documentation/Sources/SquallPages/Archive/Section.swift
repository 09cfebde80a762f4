/// A section of the content of a page.
enum Section: Equatable, Sendable {
    case declarations([Declaration])
    case parameters([Parameter])
    case content([Block])
    /// The identifiers of the articles that mention a symbol.
    case mentions([String])

    struct Declaration: Equatable, Sendable, Decodable {
        let tokens: [Token]
    }

    struct Parameter: Equatable, Sendable, Decodable {
        let name: String
        let content: [Block]
    }
}

extension Section: Decodable {
    private enum CodingKeys: String, CodingKey {
        case kind, declarations, parameters, content, mentions
    }

    private enum Kind: String {
        case declarations, parameters, content, mentions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind: Kind = try container.decodeKind("section", forKey: .kind)
        switch kind {
        case .declarations: self = .declarations(try container.decode([Declaration].self, forKey: .declarations))
        case .parameters: self = .parameters(try container.decode([Parameter].self, forKey: .parameters))
        case .content: self = .content(try container.decode([Block].self, forKey: .content))
        case .mentions: self = .mentions(try container.decode([String].self, forKey: .mentions))
        }
    }
}
