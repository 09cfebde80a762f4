import Foundation
import Testing

/// Every `swift` block of the README and of the articles is in a file of snippets in this folder, where it is compiled and run.
struct SnippetTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func blocks(_ path: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var current: [String]?
        for line in try lines(path) {
            if line == "```swift" {
                current = []
            } else if line == "```", let block = current {
                blocks.append(block.filter { !$0.isEmpty })
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// The README and every article with `swift` blocks.
    private static let pages: [String] = {
        let folder = "Sources/Squall/Squall.docc"
        let articles = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return ["README.md"] + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }()

    @Test func theReadmeAndTheArticlesAreFound() throws {
        #expect(Self.pages.count > 5)
        #expect(try Self.blocks("README.md").count >= 10)
    }

    @Test(arguments: pages)
    func everyBlockIsCompiled(path: String) throws {
        let compiled = try ["Snippets", "ArticleSnippets"].flatMap {
            try Self.lines("Tests/SquallTests/Documentation/\($0).swift").filter { !$0.isEmpty }
        }
        for block in try Self.blocks(path) {
            #expect(compiled.contains(block), "\(path):\n\(block.joined(separator: "\n"))")
        }
    }
}
