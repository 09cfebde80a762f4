import Foundation
import Testing

/// Every `swift` block of the README and of the articles stands in `Snippets.swift`, where it is compiled and run.
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

    @Test(arguments: [
        ("README.md", 10), ("Sources/Squall/Squall.docc/Squall.md", 1),
        ("Sources/Squall/Squall.docc/ComingFromSQift.md", 3),
        ("Sources/Squall/Squall.docc/ComingFromSquealAndSwiftly.md", 3),
    ])
    func everyBlockIsCompiled(path: String, atLeast count: Int) throws {
        let compiled = try Self.lines("Tests/SquallTests/Documentation/Snippets.swift").filter { !$0.isEmpty }
        let blocks = try Self.blocks(path)
        #expect(blocks.count >= count)
        for block in blocks {
            #expect(compiled.contains(block), "\(path):\n\(block.joined(separator: "\n"))")
        }
    }
}
