import Testing

@testable import SquallPages

@Suite struct PageTests {
    private let path = PagePath(url: "/documentation/squall/connection")
    private let topics = [
        "Squall": Topic(title: "Squall", url: "/documentation/squall", kind: "symbol"),
        "Connection": Topic(title: "Connection", url: "/documentation/squall/connection", kind: "symbol"),
    ]

    @Test func longPageListsItsHeadings() {
        let headings = (1...PageRenderer.outlinedHeadings).map { number in
            Block.heading(Block.Heading(level: number == 1 ? 2 : 3, text: "Part `\(number)`", anchor: "Part-\(number)"))
        }
        let long = outline(of: headings)
        #expect(long.contains(##"<li class="h2"><a href="#Part-1">Part 1</a></li>"##))
        #expect(long.contains(##"<li class="h3"><a href="#Part-2">Part 2</a></li>"##))
        #expect(outline(of: headings.dropLast()) == "")
    }

    @Test func pageIsListedOnceInAGroup() throws {
        let group: LinkGroup = try decode(#"{"title": "Types", "identifiers": ["Connection", "Squall", "Connection"]}"#)
        let page = Page(identifier: "", kind: .article, metadata: Metadata(title: "Guide"), topics: [group])
        let html = PageRenderer(page: page, path: path, topics: topics).topicGroups()
        #expect(html.plainText == "TopicsTypesConnectionSquall")
    }

    @Test(
        "The title has the name of the type and of the module",
        arguments: [
            ("Squall", [], "Squall"),
            ("Queries", ["Squall"], "Queries – Squall"),
            ("run(_:)", ["Squall", "Connection"], "run(_:) – Connection – Squall"),
            ("Connection.Mode", ["Squall", "Connection"], "Connection.Mode – Squall"),
        ])
    func title(of page: String, ancestors: [String], title: String) {
        let page = Page(identifier: "", kind: .symbol, metadata: Metadata(title: page), ancestors: ancestors)
        let document = Document(
            renderer: PageRenderer(page: page, path: path, topics: topics),
            navigation: Navigation(modules: [], topics: [:]), moduleTitle: "Squall")
        #expect(document.html().source(on: path).contains("<title>\(title)</title>"))
    }

    private func outline(of blocks: [Block]) -> String {
        let page = Page(identifier: "", kind: .article, metadata: Metadata(title: "Guide"))
        let renderer = PageRenderer(page: page, path: path, topics: [:])
        return renderer.outline(of: renderer.html(blocks)).map { $0.source(on: path) }.joined()
    }
}
