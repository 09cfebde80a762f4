import Foundation
import Testing

/// The documentation lists every public type, so that it can be found without knowing its name.
struct TopicTests {
    /// The texts of the library's files with an ending.
    private static func texts(_ ending: String) -> [String] {
        Repository.files(in: "Sources/Squall", ending).map(\.text)
    }

    @Test func everyPublicTypeIsListed() {
        let declaration =
            /\n((?:@[^\n]*\n)*)(?:@\w+ )*(?:public|open) (?:final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        let declared = Set(
            Self.texts(".swift").flatMap { "\n\($0)".matches(of: declaration) }
                .filter { !$0.1.contains("visibility: internal") }.map { String($0.2) })
        let listed = Set(Self.texts(".md").flatMap { $0.matches(of: /\n- ``(\w+)``/).map { String($0.1) } })
        #expect(declared.count > 100)
        #expect(declared.subtracting(listed).sorted() == [])
    }

    @Test func noTopicIsListedTwice() {
        for page in Self.texts(".md") {
            let topics = page.matches(of: /\n- (``[^\n]+``|<doc:[^\n]+>)/).map { String($0.1) }
            #expect(Dictionary(grouping: topics, by: \.self).filter { $0.value.count > 1 }.isEmpty)
        }
    }
}
