import Foundation
import Squall
import Synchronization
import Testing

@testable import Bookshop

@Suite struct StoryTests {
    @Test func theStoryIsThatOfTheREADME() async throws {
        let lines = Mutex<[String]>([])
        try await story(in: Database.bookshop()) { line in lines.withLock { $0.append(line) } }

        let package = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(page.contains("```\n\(text)\n```"), "\(text)")
    }
}
