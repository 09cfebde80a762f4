import Foundation
import Testing

/// The guides where Markdown is shown without DocC: links such as `<doc:Tables>` lead nowhere there.
struct GuideLinkTests {
    private static let guides = Repository.files(in: "Sources", ".md")
        .filter { $0.path.contains(/\.docc\/(?:Guides|ComingFrom|Problems)\//) }

    /// Each guide ends with links to the files of the guides that it names. They are HTML, which DocC leaves out.
    ///
    /// With `SQUALL_RECORD=1`, the test writes them.
    @Test(arguments: guides)
    func aGuideEndsWithLinksToTheGuidesThatItNames(page: Repository.File) throws {
        let text = page.text.replacing(/\n<p>Guides named here:\n[^\n]*(?:\n<a [^\n]*)*\n/, with: "")
        let expected = text + (try Self.links(of: page))
        if ProcessInfo.processInfo.environment["SQUALL_RECORD"] != nil, page.text != expected {
            try expected.write(to: Repository.root.appending(path: page.path), atomically: true, encoding: .utf8)
        }
        #expect(page.text == expected, "SQUALL_RECORD=1 make checks")
    }

    private static func links(of page: Repository.File) throws -> String {
        var targets: [String] = []
        for link in page.text.matches(of: /<doc:(\w+)(?:#[^>]+)?>/) where !targets.contains(String(link.1)) {
            targets.append(String(link.1))
        }
        let links = try targets.filter { page.name != "\($0).md" }.map { name in
            let target = try #require(guides.first { $0.name == "\(name).md" }, "\(page.path): \(name)")
            let folder = target.folder == page.folder ? "" : "../\(target.folder)/"
            return #"<a href="\#(folder)\#(name).md">\#(try title(of: target))</a>"#
        }
        return links.isEmpty ? "" : "\n<p>Guides named here:\n\(links.joined(separator: ",\n"))</p>\n"
    }

    private static func title(of page: Repository.File) throws -> Substring {
        try #require(page.text.prefixMatch(of: /# ([^\n]+)/), "\(page.path)").1
    }

    /// The guide "Errors" links the pages of problems.
    @Test func theReadmeLinksEachGuide() throws {
        let readme = try Repository.file("README.md").text
        let linked = Self.guides.map(\.path).filter { !$0.contains("/Problems/") }
        #expect(linked.count > 35)
        #expect(linked.filter { !readme.contains("](\($0))") } == [])
    }

    /// A guide is read in a file view too, where a link to a symbol is its text: it names no overload.
    @Test func linksOfGuidesNameNoOverload() {
        for page in Self.guides {
            let links = page.text.matches(of: /``[^`\n]+(?:\)-|-swift\.)[^`\n]*``/).map { String($0.0) }
            #expect(links == [], "\(page.path)")
        }
    }
}

extension Repository.File {
    fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
    fileprivate var folder: String { String(path.split(separator: "/").dropLast().last ?? "") }
}
