import Foundation

/// The `swift` blocks of the README two folders above a file of tests.
struct ReadMeBlocks {
    let count: Int
    /// The lines that the file does not have.
    let missing: [String]

    init(besides file: String) throws {
        func lines(_ text: String) -> [String] {
            text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        let here = try Set(lines(String(contentsOfFile: file, encoding: .utf8)))
        let page = try lines(
            String(contentsOf: folder.appending(path: "../../README.md").standardized, encoding: .utf8))
        let blocks = page.split { $0 == "```swift" }.dropFirst().map { $0.prefix { $0 != "```" } }
        count = blocks.count
        missing = blocks.joined().filter { !$0.isEmpty && !here.contains($0) }
    }
}
