import Testing

@testable import SquallPages

@Suite struct HTMLTests {
    private let page = PagePath(url: "/documentation/squall/guide")

    @Test func textIsEscaped() {
        let html = Tag.p { "a < b && c > \"d\"" }
        #expect(html.source(on: page) == "<p>a &lt; b &amp;&amp; c &gt; &quot;d&quot;</p>\n")
    }

    @Test func attributesAreEscaped() {
        let html = Tag.span(.class("\"><script>")) { "text" }
        #expect(html.source(on: page) == "<span class=\"&quot;&gt;&lt;script&gt;\">text</span>")
    }

    @Test func markupInContentStaysText() throws {
        let source = try source(ofText: ##"[{"type": "codeVoice", "code": "<b onclick=\"x\">"}]"##)
        #expect(source == "<code>&lt;b onclick=&quot;x&quot;&gt;</code>")
    }

    @Test func voidElementsHaveNoEndTag() {
        #expect(Tag.p { Tag.br() }.source(on: page) == "<p><br></p>\n")
    }

    @Test func nameOfASymbolIsBrokenAfterItsLabels() {
        let html = Tag.code { HTML.breakable("insert(_:into:)") }
        #expect(html.source(on: page) == "<code>insert(<wbr>_:<wbr>into:)</code>")
        #expect(HTML.breakable("Database.Mode") == ["Database.", Tag.wbr(), "Mode"])
        #expect(HTML.breakable("close()") == ["close()"])
        #expect(HTML.breakable("") == [])
    }

    @Test(arguments: ["try f()", "mode: .readOnly", "1...5", "\":memory:\"", "[Key : Value]", "2.5"])
    func codeIsNotBroken(code: String) {
        #expect(HTML.breakable(code) == [.text(code)])
    }

    @Test func arrowIsNotBroken() {
        let arrow = Tag.span(.class("arrow")) { "->" }
        #expect(HTML.breakable("() -> Int") == ["() ", arrow, " Int"])
        #expect(HTML.breakable("-x - y") == ["-x - y"])
    }

    @Test func plainTextLeavesElementsOut() {
        #expect([Tag.p { Tag.em { "a" } }, "b"].plainText == "ab")
    }
}
