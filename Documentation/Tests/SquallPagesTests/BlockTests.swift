import Testing

@testable import SquallPages

@Suite struct BlockTests {
    @Test(arguments: [
        (
            #"{"type": "heading", "level": 3, "text": "A title", "anchor": "A-title"}"#,
            ##"<h3 id="A-title"><a href="#A-title">A title</a></h3>"##
        ),
        (
            #"{"type": "heading", "level": 3, "text": "Without `Row`s", "anchor": "Without-Rows"}"#,
            ##"<h3 id="Without-Rows"><a href="#Without-Rows">Without <code>Row</code>s</a></h3>"##
        ),
        (PageJSON.text("Text."), "<p>Text.</p>"),
        (
            #"{"type": "unorderedList", "items": [{"content": [\#(PageJSON.text("a"))]}, {"content": []}]}"#,
            "<ul><li>a</li><li></li></ul>"
        ),
        (
            #"{"type": "orderedList", "items": [{"content": [\#(PageJSON.text("a")), \#(PageJSON.text("b"))]}]}"#,
            "<ol><li><p>a</p><p>b</p></li></ol>"
        ),
        (
            #"{"type": "orderedList", "start": 3, "items": [{"content": [\#(PageJSON.text("c"))]}]}"#,
            #"<ol start="3"><li>c</li></ol>"#
        ),
        (
            #"""
            {"type": "termList", "items": [
                {"term": {"inlineContent": [{"type": "text", "text": "WAL"}]},
                 "definition": {"content": [\#(PageJSON.text("A journal."))]}}
            ]}
            """#,
            "<dl><dt>WAL</dt><dd>A journal.</dd></dl>"
        ),
        (
            #"{"type": "aside", "style": "warning", "content": [\#(PageJSON.text("Careful."))]}"#,
            #"<aside class="warning"><p class="label">Warning</p><p>Careful.</p></aside>"#
        ),
        (
            #"{"type": "aside", "style": "note", "name": "Complexity", "content": [\#(PageJSON.text("O(1)."))]}"#,
            #"<aside class="note"><p class="label">Complexity</p><p>O(1).</p></aside>"#
        ),
        (#"{"type": "thematicBreak"}"#, "<hr>"),
        (
            #"{"type": "codeListing", "syntax": "sql", "code": ["SELECT 1", "WHERE 1 < 2"]}"#,
            "<pre class=\"listing\"><code>SELECT 1\nWHERE 1 &lt; 2</code></pre>"
        ),
        (
            #"{"type": "codeListing", "syntax": "swift", "code": ["let a"]}"#,
            #"<pre class="listing"><code><span class="keyword">let</span> a</code></pre>"#
        ),
    ])
    func blockIsWritten(json: String, html: String) throws {
        #expect(try source(ofBlocks: "[\(json)]") == html)
    }

    @Test func tableHasAHeaderRow() throws {
        let json = """
            [{"type": "table", "header": "row", "alignments": ["unset", "right"], "rows": [
                [[\(PageJSON.text("Name"))], [\(PageJSON.text("Price"))]], [[\(PageJSON.text("Audi"))], []]
            ]}]
            """
        let table = """
            <div class="table"><table>\
            <thead><tr><th scope="col">Name</th><th scope="col" class="right">Price</th></tr></thead>\
            <tbody><tr><td>Audi</td><td class="right"></td></tr></tbody>\
            </table></div>
            """
        #expect(try source(ofBlocks: json) == table)
    }

    @Test func tableHasAHeaderColumn() throws {
        let json = """
            [{"type": "table", "header": "column", "rows": [[[\(PageJSON.text("a"))], [\(PageJSON.text("b"))]]]}]
            """
        let row = #"<tr><th scope="row">a</th><td>b</td></tr>"#
        #expect(try source(ofBlocks: json) == "<div class=\"table\"><table><tbody>\(row)</tbody></table></div>")
    }

    @Test("A listing without a language is Swift in a symbol's page only")
    func listingWithoutLanguage() throws {
        let json = #"[{"type": "codeListing", "syntax": null, "code": ["let a"]}]"#
        #expect(try source(ofBlocks: json) == #"<pre class="listing"><code>let a</code></pre>"#)
        let swift = #"<pre class="listing"><code><span class="keyword">let</span> a</code></pre>"#
        #expect(try source(ofBlocks: json, kind: .symbol) == swift)
    }
}
