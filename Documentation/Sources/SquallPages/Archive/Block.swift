/// A block of a page's text.
indirect enum Block: Equatable, Sendable {
    case heading(Heading)
    case paragraph([Inline])
    case code(CodeListing)
    case unorderedList([Item])
    case orderedList([Item], start: Int)
    case terms([Term])
    case aside(Aside)
    case table(Table)
    case thematicBreak

    struct Heading: Equatable, Sendable, Decodable {
        let level: Int
        let text: String
        let anchor: String
    }

    struct Item: Equatable, Sendable, Decodable {
        let content: [Block]
    }

    struct Term: Equatable, Sendable, Decodable {
        let term: Name
        let definition: Item

        struct Name: Equatable, Sendable, Decodable {
            let inlineContent: [Inline]
        }
    }
}

/// A listing; the language is `nil` when the author named none.
struct CodeListing: Equatable, Sendable, Decodable {
    let code: [String]
    let syntax: String?
}

/// A note beside the text, such as a warning or the errors that a method throws.
struct Aside: Equatable, Sendable, Decodable {
    let style: Style
    let name: String?
    let content: [Block]

    enum Style: String, Sendable {
        case note, important, warning, experiment, tip
    }

    private enum CodingKeys: String, CodingKey {
        case style, name, content
    }

    init(style: Style, name: String?, content: [Block]) {
        self.style = style
        self.name = name
        self.content = content
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        style = try container.decodeKind("aside", forKey: .style)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        content = try container.decode([Block].self, forKey: .content)
    }
}

extension Block: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, inlineContent, items, start
    }

    private enum Kind: String {
        case heading, paragraph, codeListing, unorderedList, orderedList, termList, aside, table, thematicBreak
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind: Kind = try container.decodeKind("block", forKey: .type)
        switch kind {
        case .heading: self = .heading(try Heading(from: decoder))
        case .paragraph: self = .paragraph(try container.decode([Inline].self, forKey: .inlineContent))
        case .codeListing: self = .code(try CodeListing(from: decoder))
        case .unorderedList: self = .unorderedList(try container.decode([Item].self, forKey: .items))
        case .orderedList:
            let start = try container.decodeIfPresent(Int.self, forKey: .start)
            self = .orderedList(try container.decode([Item].self, forKey: .items), start: start ?? 1)
        case .termList: self = .terms(try container.decode([Term].self, forKey: .items))
        case .aside: self = .aside(try Aside(from: decoder))
        case .table: self = .table(try Table(from: decoder))
        case .thematicBreak: self = .thematicBreak
        }
    }
}
