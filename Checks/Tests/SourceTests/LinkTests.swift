import Foundation
import Testing

/// Links between the pages of the repository. DocC checks its own links when the documentation is built.
struct LinkTests {
    private static let pages = Repository.files(".md")

    @Test func linksToFilesLeadToFiles() {
        var count = 0
        for page in Self.pages {
            let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
            // DocC finds images by their names, without a folder and an ending.
            for link in page.text.matches(of: /\]\(([^)#: ]*[.\/][^)#: ]*)(?:#[^) ]*)?\)/) {
                count += 1
                let file = folder.appending(path: String(link.1)).standardizedFileURL
                #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path): \(link.1)")
            }
        }
        #expect(count > 50)
    }

    /// The hash of an overload changes with its declaration. The types of its parameters or of its result tell what is meant.
    @Test func linksToSymbolsHaveNoHash() {
        for file in Self.pages + Repository.files(".swift") {
            let links = file.text.matches(of: /``[^`\n]+\)-[0-9a-z]{4,5}``/).map { String($0.0) }
            #expect(links == [], "\(file.path)")
        }
    }

    /// GitHub makes the anchor of a heading of its words.
    @Test func anchorsAreThoseOfHeadings() throws {
        for page in Self.pages {
            let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
            for link in page.text.matches(of: /\]\(([^)#: ]*\.md)?#([^) ]+)\)/) {
                let target = try link.1.map {
                    try String(contentsOf: folder.appending(path: String($0)), encoding: .utf8)
                }
                let headings = (target ?? page.text).matches(of: /(?:^|\n)#+ ([^\n]+)/).map { Self.anchor($0.1) }
                #expect(headings.contains(String(link.2)), "\(page.path): #\(link.2)")
            }
        }
    }

    private static func anchor(_ heading: Substring) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .replacing(" ", with: "-")
    }
}
