import Testing

@testable import SquallPages

@Suite struct LinkTests {
    private let connection = PagePath(url: "/documentation/squall/connection")
    private let run = PagePath(url: "/documentation/squall/connection/run(_:)")
    private let module = PagePath(url: "/documentation/squall")

    @Test func pageHasAFile() {
        #expect(module.file == ["index.html"])
        #expect(run.file == ["documentation", "squall", "connection", "run(_:).html"])
    }

    @Test func addressIsRelativeToThePage() {
        #expect(address(of: connection, on: run) == "../connection.html")
        #expect(address(of: run, on: connection) == "connection/run(_%3A).html")
        #expect(address(of: run, on: run) == "run(_%3A).html")
        #expect(address(of: module, on: run) == "../../../index.html")
        #expect(address(of: run, on: module) == "documentation/squall/connection/run(_%3A).html")
        #expect(Link.file("site.css").address(on: connection) == "../../site.css")
    }

    @Test func charactersWithAMeaningInAddressesAreEscaped() {
        let operators = PagePath(components: ["documentation", "squall", "%?#&\" é"])
        #expect(address(of: operators, on: connection) == "%25%3F%23%26%22%20%C3%A9.html")
        #expect(PagePath(url: operators.url) == operators)
    }

    @Test func anchorFollowsTheFile() {
        let link = Link(url: "/documentation/squall/connection#Opening-and-closing")
        #expect(link.address(on: run) == "../connection.html#Opening-and-closing")
        #expect(link.address(on: connection) == "#Opening-and-closing")
    }

    @Test func linkToAPageThatDoesNotExistIsDead() {
        var check = LinkCheck()
        let link = Link.page(run, anchor: nil)
        check.add(Tag.p { Tag.a(.href(link)) { "run" } }, on: connection)
        #expect(check.deadLinks == [DeadLink(page: connection, link: link)])
        check.add(Tag.p(), on: run)
        #expect(check.deadLinks == [])
    }

    @Test func linkToAHeadingThatDoesNotExistIsDead() {
        var check = LinkCheck()
        check.add(Tag.h2(.id("Größe")) { "Größe" }, on: run)
        check.add(Tag.a(.href(.page(run, anchor: "Gr%C3%B6%C3%9Fe"))) { "run" }, on: connection)
        #expect(check.deadLinks == [])
        let dead = Link.page(run, anchor: "Other")
        check.add(Tag.a(.href(dead)) { "run" }, on: connection)
        #expect(check.deadLinks.map(\.description) == ["\(connection): \(run)#Other"])
    }

    @Test func imageThatDoesNotExistIsDead() {
        var check = LinkCheck()
        check.add(Tag.img(.link(.src, .file(ofArchive: "/images/Squall/growth.svg"))), on: connection)
        #expect(check.deadLinks.map(\.description) == ["\(connection): images/Squall/growth.svg"])
        check.files = ["images/Squall/growth.svg"]
        #expect(check.deadLinks == [])
    }

    @Test("A link that DocC did not find is dead: the archive has it as text")
    func unresolvedArticle() throws {
        let source = try source(ofText: #"[{"type": "text", "text": "doc:Safety"}]"#)
        #expect(source == "<a>doc:Safety</a>")
        var check = LinkCheck()
        check.add(Tag.a(.href(.unresolved("doc:Safety"))) { "doc:Safety" }, on: connection)
        #expect(check.deadLinks.map(\.description) == ["\(connection): doc:Safety"])
    }

    @Test(
        "A link to an overload that DocC did not find is dead",
        arguments: [
            "insert(into:from:)-4k4sx", "Connection/first(_:_:as:)->(First,Second,Value)?",
            "Blob/read(into:at:)-(Data,_)",
            "Database/statistics-swift.property",
        ])
    func unresolvedOverload(link: String) throws {
        #expect(
            try source(ofText: #"[{"type": "codeVoice", "code": "\#(link)"}]"#) == "<a><code>\(link.escaped)</code></a>"
        )
    }

    @Test(arguments: ["insert(into:from:)", "(Int)->Void", "f(x)-y", "a-b", "x(_:) -> Int"])
    func codeIsNotALink(code: String) throws {
        let source = try source(ofText: #"[{"type": "codeVoice", "code": "\#(code)"}]"#)
        #expect(source.hasPrefix("<code>"))
        #expect(!source.contains("<a"))
    }

    private func address(of target: PagePath, on page: PagePath) -> String? {
        Link.page(target, anchor: nil).address(on: page)
    }
}

extension String {
    fileprivate var escaped: String { replacing(">", with: "&gt;") }
}
