import Testing

@testable import SquallPages

@Suite struct InlineTests {
    @Test(arguments: [
        (#"{"type": "text", "text": "a"}"#, "a"),
        (#"{"type": "codeVoice", "code": "a"}"#, "<code>a</code>"),
        (#"{"type": "emphasis", "inlineContent": [{"type": "text", "text": "a"}]}"#, "<em>a</em>"),
        (#"{"type": "strong", "inlineContent": [{"type": "text", "text": "a"}]}"#, "<strong>a</strong>"),
        (#"{"type": "strikethrough", "inlineContent": [{"type": "text", "text": "a"}]}"#, "<del>a</del>"),
        (#"{"type": "subscript", "inlineContent": [{"type": "text", "text": "a"}]}"#, "<sub>a</sub>"),
        (#"{"type": "superscript", "inlineContent": [{"type": "text", "text": "a"}]}"#, "<sup>a</sup>"),
    ])
    func inlineIsWritten(json: String, html: String) throws {
        #expect(try source(ofText: "[\(json)]") == html)
    }

    @Test func symbolIsLinkedAsCode() throws {
        let source = try source(ofText: reference("SQL"), references: topic("SQL", kind: "symbol"))
        #expect(source == #"<a href="sql.html"><code>SQL</code></a>"#)
    }

    @Test func articleIsLinkedByItsTitle() throws {
        let source = try source(ofText: reference("Guides"), references: topic("Guides", kind: "article"))
        #expect(source == #"<a href="guides.html">Guides</a>"#)
    }

    @Test func linkHasTheAuthorsTitle() throws {
        let title = #", "overridingTitleInlineContent": [{"type": "text", "text": "the SQL"}]"#
        let source = try source(ofText: reference("SQL", title), references: topic("SQL", kind: "symbol"))
        #expect(source == #"<a href="sql.html">the SQL</a>"#)
    }

    @Test func symbolOfAnotherModuleIsNotALink() throws {
        let references = #"{"SQL": {"type": "unresolvable", "title": "Swift.Error", "identifier": "SQL"}}"#
        #expect(try source(ofText: reference("SQL"), references: references) == "<code>Swift.Error</code>")
    }

    @Test func nameOfAnotherModuleIsALink() throws {
        let topics = Dictionary(
            uniqueKeysWithValues: ["Squall", "SquallSearch"].map { name in
                let topic = Topic(title: name, url: "/documentation/\(name.lowercased())", kind: "symbol")
                return ("doc://\(name)/documentation/\(name)", topic)
            })
        let annex = try source(ofText: #"[{"type": "codeVoice", "code": "SquallSearch"}]"#, topics: topics)
        #expect(annex == #"<a href="../squallsearch.html"><code>SquallSearch</code></a>"#)
        let own = try source(ofText: #"[{"type": "codeVoice", "code": "Squall"}]"#, topics: topics)
        #expect(own == "<code>Squall</code>")
    }

    @Test func webAddressIsALink() throws {
        let references = #"{"SQL": {"type": "link", "title": "SQLite", "url": "https://sqlite.org/?a&b"}}"#
        let source = try source(ofText: reference("SQL"), references: references)
        #expect(source == #"<a href="https://sqlite.org/?a&amp;b">SQLite</a>"#)
    }

    @Test func imageHasAFileForADarkPage() throws {
        let references = """
            {"growth": {"type": "image", "identifier": "growth", "alt": "A chart", "variants": [
                {"traits": ["1x", "light"], "url": "/images/Squall/growth.svg"},
                {"traits": ["1x", "dark"], "url": "/images/Squall/growth~dark.svg"}]}}
            """
        let source = try source(ofText: #"[{"type": "image", "identifier": "growth"}]"#, references: references)
        #expect(
            source == """
                <picture><source media="(prefers-color-scheme: dark)" srcset="../../images/Squall/growth%7Edark.svg">\
                <img src="../../images/Squall/growth.svg" alt="A chart"></picture>
                """)
    }

    @Test func scriptIsNotALink() throws {
        let references = #"{"SQL": {"type": "link", "title": "SQLite", "url": "javascript:alert(1)"}}"#
        #expect(try source(ofText: reference("SQL"), references: references) == "<a>SQLite</a>")
    }

    private func reference(_ identifier: String, _ rest: String = "") -> String {
        #"[{"type": "reference", "isActive": true, "identifier": "\#(identifier)"\#(rest)}]"#
    }

    private func topic(_ name: String, kind: String) -> String {
        #"""
        {"\#(name)": {"type": "topic", "kind": "\#(kind)", "title": "\#(name)",
            "url": "/documentation/squall/\#(name.lowercased())"}}
        """#
    }
}
