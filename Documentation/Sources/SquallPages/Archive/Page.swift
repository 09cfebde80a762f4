/// A page of the archive: a symbol or an article.
struct Page: Equatable, Sendable {
    let identifier: String
    let kind: Kind
    let metadata: Metadata
    /// The identifiers of the pages above this one, from the module on.
    var ancestors: [String] = []
    var abstract: [Inline] = []
    var deprecation: [Block] = []
    var sections: [Section] = []
    var topics: [LinkGroup] = []
    var defaultImplementations: [LinkGroup] = []
    var relationships: [LinkGroup] = []
    var seeAlso: [LinkGroup] = []
    var references: [String: Reference] = [:]

    enum Kind: String, Sendable {
        case symbol, article
    }

    /// The identifier of the page of the type that this page is a part of.
    var parent: String? { ancestors.dropFirst().last }
}

/// The title of a page, and the properties of its symbol.
struct Metadata: Equatable, Sendable, Decodable {
    let title: String
    var roleHeading: String?
    var required: Bool?
    var conformance: Conformance?
    var platforms: [Platform]?

    struct Platform: Equatable, Sendable, Decodable {
        let name: String
        let introducedAt: String?
        let deprecatedAt: String?
        let unavailable: Bool?
    }
}

extension Page: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case identifier, kind, metadata, hierarchy, abstract, references, sections, schemaVersion, variants
        case deprecationSummary, primaryContentSections, topicSections, defaultImplementationsSections
        case relationshipsSections, seeAlsoSections
    }

    private struct Identifier: Decodable {
        let url: String
    }

    private struct Hierarchy: Decodable {
        let paths: [[String]]
    }

    init(from decoder: any Decoder) throws {
        try decoder.rejectKeys(of: "page content", except: Set(CodingKeys.allCases.map(\.rawValue)))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func list<Element: Decodable>(_ key: CodingKeys) throws -> [Element] {
            try container.decodeIfPresent([Element].self, forKey: key) ?? []
        }
        kind = try container.decodeKind("page", forKey: .kind)
        identifier = try container.decode(Identifier.self, forKey: .identifier).url
        metadata = try container.decode(Metadata.self, forKey: .metadata)
        ancestors = try container.decode(Hierarchy.self, forKey: .hierarchy).paths.first ?? []
        abstract = try list(.abstract)
        deprecation = try list(.deprecationSummary)
        sections = try list(.primaryContentSections)
        topics = try list(.topicSections)
        defaultImplementations = try list(.defaultImplementationsSections)
        relationships = try list(.relationshipsSections)
        seeAlso = try list(.seeAlsoSections)
        references = try container.decodeIfPresent([String: Reference].self, forKey: .references) ?? [:]
    }
}
