import Foundation
import Testing

/// Every `swift` block of the README and of the articles is in a file of the folder `Pages`, where it is compiled and run.
struct SnippetTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
    }

    /// The lines that are compared: without indentation, and without blank lines.
    private static func trimmed(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func blocks(_ path: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var current: [String]?
        for line in try lines(path) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text == "```swift" {
                current = []
            } else if text == "```", let block = current {
                blocks.append(block)
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// The paths of the files in a folder whose names end so, in order.
    private static func paths(in folder: String, _ ending: String) -> [String] {
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return files.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    /// The README and every article with `swift` blocks.
    private static let pages = ["README.md"] + paths(in: "Sources/Squall/Squall.docc", ".md")

    @Test func theReadmeAndTheArticlesAreFound() throws {
        #expect(Self.pages.count > 25)
        #expect(try Self.blocks("README.md").count >= 4)
    }

    /// The lines of all files in the folder `Pages`.
    private static let compiled = paths(in: "Tests/DocumentationTests/Pages", ".swift")
        .flatMap { trimmed((try? lines($0)) ?? []) }

    @Test(arguments: pages)
    func everyBlockIsCompiled(path: String) throws {
        // `.ci/readme` compiles and runs the whole program of the README.
        for block in try Self.blocks(path).map(Self.trimmed) where !block.contains("@main") {
            #expect(Self.compiled.contains(block), "\(path):\n\(block.joined(separator: "\n"))")
        }
    }

    /// The pages of the documentation cut longer lines of code.
    private static let width = 85

    @Test(arguments: pages)
    func theLinesOfBlocksAreShort(path: String) throws {
        #expect(try Self.blocks(path).joined().filter { $0.count > Self.width } == [])
    }

    /// The lines of code in the documentation comments of a file: paragraphs with an indentation of four spaces, outside lists.
    private static func commentedCode(_ path: String) throws -> [String] {
        var code: [String] = []
        var (canBegin, isInList) = (true, false)
        for line in try lines(path).map({ $0.drop { $0 == " " } }) {
            guard line.hasPrefix("///") else {
                (canBegin, isInList) = (true, false)
                continue
            }
            let text = line.dropFirst("/// ".count)
            if text.isEmpty {
                canBegin = true
            } else if text.hasPrefix("    "), canBegin, !isInList {
                code.append(String(text.dropFirst(4)))
            } else {
                canBegin = false
                isInList = text.hasPrefix("- ") || isInList && text.hasPrefix(" ")
            }
        }
        return code
    }

    @Test func theLinesOfCodeInCommentsAreShort() throws {
        let code = try Self.paths(in: "Sources", ".swift").flatMap(Self.commentedCode)
        #expect(code.count > 500)
        #expect(code.filter { $0.count > Self.width } == [])
    }
}
