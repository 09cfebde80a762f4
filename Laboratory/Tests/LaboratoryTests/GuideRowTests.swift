import Foundation
import Testing

@testable import Pairs

/// The guide "Safety" has the pairs that the library refuses.
struct GuideRowTests {
    private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Squall/Squall.docc/Guides/Safety.md").standardizedFileURL

    /// With `SQUALL_RECORD=1`, the test writes the table.
    @Test func theGuideHasEachRefusal() throws {
        var lines = try String(contentsOf: Self.guide, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: GuideRow.head[0]))
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        let found = Array(lines[start..<end])
        let expected = GuideRow.head + Refusals.expected.map { $0.row.line($0.problem) }
        lines.replaceSubrange(start..<end, with: expected)
        if ProcessInfo.processInfo.environment["SQUALL_RECORD"] != nil, found != expected {
            try lines.joined(separator: "\n").write(to: Self.guide, atomically: true, encoding: .utf8)
        } else {
            #expect(found == expected, "SQUALL_RECORD=1")
        }
    }
}
