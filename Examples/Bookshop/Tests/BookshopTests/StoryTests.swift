import Foundation
import Squall
import Testing

@testable import Bookshop

@Suite struct StoryTests {
    @Test func theStoryIsThatOfTheREADME() async throws {
        let lines = Lines()
        try await story(in: Database.bookshop()) { lines.append($0) }

        let package = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let text = lines.text
        #expect(page.contains("```\n\(text)\n```"), "\(text)")
    }
}

/// The lines that a story tells.
///
/// Sendable, because the array is used under the lock.
private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func append(_ line: String) { lock.withLock { lines.append(line) } }

    var text: String { lock.withLock { lines.joined(separator: "\n") } }
}
