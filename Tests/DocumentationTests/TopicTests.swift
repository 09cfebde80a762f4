import Foundation
import Testing

/// The documentation lists every public type, so that it can be found without knowing its name.
struct TopicTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Squall")

    /// The texts of the files with an ending.
    private static func texts(_ ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(ending) }
            .map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }
    }

    @Test func everyPublicTypeIsListed() throws {
        let declaration =
            /\n((?:@[^\n]*\n)*)(?:@\w+ )*(?:public|open) (?:final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        let declared = try Set(
            Self.texts(".swift").flatMap { "\n\($0)".matches(of: declaration) }
                .filter { !$0.1.contains("visibility: internal") }.map { String($0.2) })
        let listed = try Set(Self.texts(".md").flatMap { $0.matches(of: /\n- ``(\w+)``/).map { String($0.1) } })
        #expect(declared.count > 100)
        #expect(declared.subtracting(listed).sorted() == [])
    }

    @Test func noTopicIsListedTwice() throws {
        for page in try Self.texts(".md") {
            let topics = page.matches(of: /\n- (``[^\n]+``|<doc:[^\n]+>)/).map { String($0.1) }
            #expect(Dictionary(grouping: topics, by: \.self).filter { $0.value.count > 1 }.isEmpty)
        }
    }
}
