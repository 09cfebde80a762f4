import Foundation

@testable import SquallPages

/// Decodes a part of the archive from JSON.
func decode<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
}

/// Returns the source of blocks on a page below `/documentation/squall`.
///
/// - Parameters:
///   - blocks: The blocks as JSON.
///   - references: The references of the page as JSON.
func source(ofBlocks blocks: String, references: String = "{}", kind: Page.Kind = .article) throws -> String {
    let renderer = try renderer(references: references, kind: kind)
    return renderer.html(try decode(blocks) as [Block]).source
}

/// Returns the source of a line of text on a page below `/documentation/squall`.
func source(ofText text: String, references: String = "{}", topics: [String: Topic] = [:]) throws -> String {
    try renderer(references: references, topics: topics).html(try decode(text) as [Inline]).source
}

private func renderer(
    references: String, kind: Page.Kind = .article, topics: [String: Topic] = [:]
) throws -> PageRenderer {
    let page = Page(
        identifier: "doc://Squall/documentation/Squall/Guide",
        kind: kind,
        metadata: Metadata(title: "Guide"),
        references: try decode(references)
    )
    return PageRenderer(page: page, path: PagePath(url: "/documentation/squall/guide"), topics: topics)
}

extension [HTML] {
    /// The source as a page below `/documentation/squall` has it, without the line breaks between elements.
    var source: String {
        map { $0.source(on: PagePath(url: "/documentation/squall/guide")) }.joined()
            .replacing(">\n<", with: "><")
            .trimmingCharacters(in: .newlines)
    }
}

/// The JSON of an archive's pages.
enum PageJSON {
    static let module = page("Squall", ancestors: "", rest: #""topicSections": [\#(guides)], \#(guideReference)"#)

    /// A page with a declaration, parameters, a result, errors and a discussion.
    static let method = page(
        "Squall/Connection/run(_:)", kind: "symbol",
        ancestors: #""doc://Squall/documentation/Squall", "doc://Squall/documentation/Squall/Guide""#,
        rest: """
            "abstract": [{"type": "text", "text": "Runs SQL."}],
            "primaryContentSections": [
                {"kind": "declarations", "declarations": [{"tokens": [
                    {"kind": "keyword", "text": "func"}, {"kind": "text", "text": " "},
                    {"kind": "identifier", "text": "run"}, {"kind": "text", "text": "("},
                    {"kind": "externalParam", "text": "_"}, {"kind": "text", "text": " "},
                    {"kind": "internalParam", "text": "sql"}, {"kind": "text", "text": ": "},
                    {"kind": "typeIdentifier", "text": "Guide", "identifier": "doc://Squall/documentation/Squall/Guide"},
                    {"kind": "text", "text": ")"}
                ]}]},
                {"kind": "parameters", "parameters": [{"name": "sql", "content": [\(text("The statement."))]}]},
                {"kind": "content", "content": [\(heading("Return Value", "return-value")), \(text("The rows."))]},
                {"kind": "content", "content": [
                    \(heading("Discussion", "discussion")),
                    {"type": "aside", "style": "note", "name": "Throws", "content": [\(text("An error."))]}
                ]}
            ],
            \(guideReference)
            """)

    static let guide = page(
        "Squall/Guide", ancestors: #""doc://Squall/documentation/Squall""#,
        rest: """
            "primaryContentSections": [{"kind": "content", "content": [\(heading("What is seen", "What-is-seen"))]}],
            "references": {"doc://Squall/documentation/Squall": {
                "type": "topic", "kind": "symbol", "title": "Squall", "url": "/documentation/squall"}}
            """)

    static func page(_ name: String, kind: String = "article", ancestors: String, rest: String) -> String {
        """
        {
            "identifier": {"url": "doc://Squall/documentation/\(name)", "interfaceLanguage": "swift"},
            "kind": "\(kind)",
            "metadata": {"title": "\(name.split(separator: "/").last ?? "")", "roleHeading": "Instance Method"},
            "hierarchy": {"paths": [[\(ancestors)]]},
            "sections": [], "schemaVersion": {"major": 0, "minor": 3, "patch": 0}, "variants": [],
            \(rest)
        }
        """
    }

    static func text(_ text: String) -> String {
        #"{"type": "paragraph", "inlineContent": [{"type": "text", "text": "\#(text)"}]}"#
    }

    private static func heading(_ title: String, _ anchor: String) -> String {
        #"{"type": "heading", "level": 2, "text": "\#(title)", "anchor": "\#(anchor)"}"#
    }

    private static let guides = #"""
        {"title": "Guides", "anchor": "Guides", "identifiers": ["doc://Squall/documentation/Squall/Guide"]}
        """#

    private static let guideReference = """
        "references": {
            "doc://Squall/documentation/Squall": {
                "type": "topic", "kind": "symbol", "title": "Squall", "url": "/documentation/squall"},
            "doc://Squall/documentation/Squall/Guide": {
                "type": "topic", "kind": "article", "title": "Guide", "url": "/documentation/squall/guide",
                "abstract": [{"type": "text", "text": "A guide."}]}
        }
        """
}
