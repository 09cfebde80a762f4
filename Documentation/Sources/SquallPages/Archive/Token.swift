/// A token of a declaration.
struct Token: Equatable, Sendable {
    let kind: Kind
    let text: String
    /// The identifier of the type's page.
    var identifier: String?

    enum Kind: String, Sendable {
        case keyword, attribute, number, string, identifier, typeIdentifier, genericParameter, text, label
        case internalParam, externalParam
    }
}

extension Token: Decodable {
    private enum CodingKeys: String, CodingKey {
        case kind, text, identifier
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decodeKind("token", forKey: .kind)
        text = try container.decode(String.self, forKey: .text)
        identifier = try container.decodeIfPresent(String.self, forKey: .identifier)
    }
}
