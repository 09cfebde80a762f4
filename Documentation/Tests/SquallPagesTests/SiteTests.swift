import Foundation
import Testing

@testable import SquallPages

@Suite struct SiteTests {
    @Test func pagesAreWritten() throws {
        try withArchive([
            "squall": PageJSON.module, "squall/guide": PageJSON.guide, "squall/connection/run(_:)": PageJSON.method,
        ]) { archive, site in
            #expect(try SquallPages.run([archive.path, site.path]) == "3 pages in \(site.path)")
            let index = try String(contentsOf: site.appending(path: "index.html"), encoding: .utf8)
            #expect(index.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
            #expect(index.contains(#"<a href="documentation/squall/guide.html">Guide</a>"#))
            #expect(index.contains("<p>A guide.</p>"))
            #expect(index.contains(#"<link rel="stylesheet" href="site.css">"#))
            #expect(!index.contains("<script"))
            #expect(FileManager.default.fileExists(atPath: site.appending(path: "site.css").path))
            let method = try String(
                contentsOf: site.appending(path: "documentation/squall/connection/run(_:).html"), encoding: .utf8)
            #expect(method.contains(#"<a href="../../../index.html">Squall</a>"#))
            #expect(method.contains(#"<a class="type" href="../guide.html">Guide</a>)</code>"#))
            #expect(method.contains("<dt><code>sql</code></dt>\n<dd>The statement.</dd>"))
        }
    }

    @Test func namesAndHeadingsAreListedForTheSearch() throws {
        try withArchive([
            "squall": PageJSON.module, "squall/guide": PageJSON.guide, "squall/connection/run(_:)": PageJSON.method,
        ]) { archive, site in
            _ = try SquallPages.run([archive.path, site.path])
            let names = try String(contentsOf: site.appending(path: "documentation/search.html"), encoding: .utf8)
            #expect(names.contains(##"<h2 id="R"><a href="#R">R</a></h2>"##))
            let row = """
                <th scope="row"><code>run(<wbr>_:)</code></th>
                <td><a href="squall/connection/run(_%3A).html"><code>Guide</code></a></td>
                """
            #expect(names.contains(row))
            #expect(!names.contains("<th scope=\"row\"><code>Squall"))
            #expect(names.contains(##"<a href="squall/guide.html#What-is-seen">What is seen</a>"##))
            #expect(names.contains(#"<input id="search" type="search""#))
            #expect(names.contains("<script src=\"../search.js\"></script>\n</body>"))
            #expect(FileManager.default.fileExists(atPath: site.appending(path: "search.js").path))
            let index = try String(contentsOf: site.appending(path: "index.html"), encoding: .utf8)
            #expect(index.contains(#"<a href="documentation/search.html">Search</a>"#))
        }
    }

    @Test func headingsAreSearchedWithoutBackticks() {
        let guide = Page(
            identifier: "guide", kind: .article, metadata: Metadata(title: "Guide"),
            sections: [.content([.heading(Block.Heading(level: 2, text: "A list for `IN`", anchor: "A-list-for-IN"))])])
        let path = PagePath(components: ["documentation", "squall", "guide"])
        let page = SearchPage(archive: Archive(pages: [path: guide])).page(below: "squall")
        let url = "/documentation/squall/guide#A-list-for-IN"
        #expect(
            page.references == ["guide#A-list-for-IN": .topic(Topic(title: "A list for IN", url: url, kind: "section"))]
        )
    }

    @Test func annexesHavePagesOfTheirOwn() throws {
        let annex = PageJSON.page("SquallChanges", ancestors: "", rest: #""references": {}"#)
        try withArchive([
            "squall": PageJSON.module, "squall/guide": PageJSON.guide, "squallchanges": annex,
        ]) { archive, site in
            // DocC's own list of the modules, which is not a page of the site.
            try Data("{}".utf8).write(to: archive.appending(path: "data/documentation.json"))
            #expect(try SquallPages.run([archive.path, site.path]) == "3 pages in \(site.path)")
            let page = try String(
                contentsOf: site.appending(path: "documentation/squallchanges.html"), encoding: .utf8)
            #expect(page.contains("<title>SquallChanges</title>"))
            #expect(page.contains(#"<a href="../index.html">Squall</a>"#))
            let index = try String(contentsOf: site.appending(path: "index.html"), encoding: .utf8)
            #expect(index.contains(#"<a href="documentation/squallchanges.html">SquallChanges</a>"#))
        }
    }

    @Test func anArchiveWithoutTheLibraryFails() throws {
        let page = PageJSON.page("Other", ancestors: "", rest: #""references": {}"#)
        try withArchive(["other": page]) { archive, site in
            let error = try #require(throws: SiteError.self) { try SquallPages.run([archive.path, site.path]) }
            #expect("\(error)" == "the archive does not have the page /documentation/squall")
        }
    }

    @Test("The errors are a section before the discussion, which is left out when it has nothing else")
    func errorsAreASection() throws {
        try withArchive([
            "squall": PageJSON.module, "squall/guide": PageJSON.guide, "squall/connection/run(_:)": PageJSON.method,
        ]) { archive, _ in
            let archive = try Archive(folder: archive)
            let page = try #require(archive.pages[PagePath(url: "/documentation/squall/connection/run(_:)")])
            let renderer = PageRenderer(page: page, path: PagePath(url: "/documentation/squall"), topics: [:])
            let text = renderer.sections().plainText
            #expect(text == "ParameterssqlThe statement.Return ValueThe rows.ThrowsAn error.")
        }
    }

    @Test func imagesAreCopied() throws {
        try withArchive(["squall": PageJSON.module, "squall/guide": PageJSON.guide]) { archive, site in
            let images = archive.appending(path: "images/Squall")
            try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
            try Data("<svg/>".utf8).write(to: images.appending(path: "growth.svg"))
            _ = try SquallPages.run([archive.path, site.path])
            _ = try SquallPages.run([archive.path, site.path])
            let copy = try String(contentsOf: site.appending(path: "images/Squall/growth.svg"), encoding: .utf8)
            #expect(copy == "<svg/>")
        }
    }

    @Test func deadLinkFailsTheRun() throws {
        try withArchive(["squall": PageJSON.module]) { archive, site in
            let error = try #require(throws: SiteError.self) { try SquallPages.run([archive.path, site.path]) }
            #expect("\(error)" == "1 dead link:\n  /documentation/squall: /documentation/squall/guide")
        }
    }

    @Test func unknownKindNamesThePage() throws {
        let page = PageJSON.page("Squall", kind: "project", ancestors: "", rest: #""references": {}"#)
        try withArchive(["squall": page]) { archive, site in
            let error = try #require(throws: SiteError.self) { try SquallPages.run([archive.path, site.path]) }
            #expect("\(error)" == "documentation/squall.json: unknown kind of page: project")
        }
    }

    @Test func folderWithoutAnArchiveFails() throws {
        try withArchive([:]) { archive, site in
            let error = try #require(throws: SiteError.self) { try SquallPages.run([site.path, archive.path]) }
            #expect("\(error)" == "\(site.path) is not a DocC archive: it has no folder named data")
        }
    }

    /// Calls a closure with the folder of an archive and the folder for its site.
    private func withArchive(_ pages: [String: String], _ body: (URL, URL) throws -> Void) throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "squall-pages-\(UUID().uuidString)")
        defer { try? files.removeItem(at: folder) }
        let archive = folder.appending(path: "archive")
        for (name, json) in pages {
            let file = archive.appending(path: "data/documentation/\(name).json")
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(json.utf8).write(to: file)
        }
        try body(archive, folder.appending(path: "site"))
    }
}
