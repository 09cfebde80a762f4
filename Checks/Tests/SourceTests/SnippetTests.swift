import Foundation
import Testing

/// Every `swift` block of the README and of the articles is in a file of a folder `Pages` of the tests, where it is compiled and run.
struct SnippetTests {
    /// The lines that are compared: without indentation, and without blank lines.
    private static func trimmed(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func blocks(_ page: Repository.File) -> [[String]] {
        var blocks: [[String]] = []
        var current: [String]?
        for line in page.lines {
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

    /// The README and every article with `swift` blocks.
    private static let pages =
        Repository.files(in: "Sources", ".md")
        + [try? Repository.file("README.md")].compactMap(\.self)

    @Test func theReadmeAndTheArticlesAreFound() throws {
        #expect(Self.pages.count > 25)
        #expect(try Self.blocks(Repository.file("README.md")).count >= 4)
    }

    /// The lines of all files in the folders `Pages`, and of the example that has the names of SwiftUI.
    private static let compiled = [
        "Tests/DocumentationTests/Pages", "Tests/SquallTimedTests/Pages", "Examples/Sources/BesideSwiftUI",
    ]
    .flatMap { Repository.files(in: $0, ".swift") }
    .flatMap { trimmed($0.lines) }

    @Test(arguments: pages)
    func everyBlockIsCompiled(page: Repository.File) {
        // `.ci/readme` compiles and runs the whole program of the README.
        for block in Self.blocks(page).map(Self.trimmed) where !block.contains("@main") {
            // Not in the expectation, which would print all pages.
            let isCompiled = Self.compiled.contains(block)
            #expect(isCompiled, "\(page.path):\n\(block.joined(separator: "\n"))")
        }
    }

    /// The pages of the documentation cut longer lines of code.
    private static let width = 85

    @Test(arguments: pages)
    func theLinesOfBlocksAreShort(page: Repository.File) {
        #expect(Self.blocks(page).joined().filter { $0.count > Self.width } == [])
    }

    /// The lines of code in the documentation comments of a file: paragraphs with an indentation of four spaces, outside lists.
    private static func commentedCode(_ file: Repository.File) -> [String] {
        var code: [String] = []
        var (canBegin, isInList) = (true, false)
        for line in file.lines.map({ $0.drop { $0 == " " } }) {
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

    @Test func theLinesOfCodeInCommentsAreShort() {
        let code = Repository.files(in: "Sources", ".swift").flatMap(Self.commentedCode)
        #expect(code.count > 500)
        #expect(code.filter { $0.count > Self.width } == [])
    }
}
