import Foundation
import Testing

/// Every `swift` block of the README and of the articles is in a file of the folder `Pages`, where it is compiled and run.
struct SnippetTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

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
        let articles = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return ["README.md"] + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }()

    @Test func theReadmeAndTheArticlesAreFound() throws {
        #expect(Self.pages.count > 5)
        #expect(try Self.blocks("README.md").count >= 10)
    }

    /// The lines of all files in the folder `Pages`.
    private static let compiled: [String] = {
        let folder = "Tests/DocumentationTests/Pages"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return files.sorted().flatMap { (try? lines("\(folder)/\($0)")) ?? [] }.filter { !$0.isEmpty }
    }()

    @Test(arguments: pages)
    func everyBlockIsCompiled(path: String) throws {
        // `.ci/readme` compiles and runs the whole program of the README.
        for block in try Self.blocks(path) where !block.contains("@main") {
            #expect(Self.compiled.contains(block), "\(path):\n\(block.joined(separator: "\n"))")
        }
    }
}
