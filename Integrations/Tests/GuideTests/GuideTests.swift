import Foundation
import Testing

/// Every `swift` block of the README and of the guides is in a file of the folder `Pages`, where it is compiled and run.
struct GuideTests {
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
        try lines(path).split { $0 == "```swift" }.dropFirst().map { Array($0.prefix { $0 != "```" }) }
    }

    private static func paths(in folder: String, _ ending: String) -> [String] {
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return files.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    private static let products = [
        "HummingbirdSquall", "SquallLogging", "SquallMetrics", "SquallService", "SquallTesting", "SquallTracing",
    ]

    private static let pages = ["README.md"] + products.map { "Sources/\($0)/\($0).docc/\($0).md" }

    /// The lines of all files in the folder `Pages`.
    private static let compiled = paths(in: "Tests/GuideTests/Pages", ".swift")
        .flatMap { trimmed((try? lines($0)) ?? []) }

    @Test(arguments: pages)
    func everyBlockIsCompiled(path: String) throws {
        let blocks = try Self.blocks(path)
        #expect(!blocks.isEmpty)
        for block in blocks.map(Self.trimmed) {
            #expect(Self.compiled.contains(block), "\(path):\n\(block.joined(separator: "\n"))")
        }
    }

    /// The pages of the documentation cut longer lines of code.
    @Test(arguments: pages)
    func theLinesOfBlocksAreShort(path: String) throws {
        #expect(try Self.blocks(path).joined().filter { $0.count > 85 } == [])
    }
}
