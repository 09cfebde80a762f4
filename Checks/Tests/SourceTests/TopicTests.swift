import Foundation
import Testing

/// The documentation lists every public type, so that it can be found without knowing its name.
struct TopicTests {
    /// The texts of a library's files with an ending.
    private static func texts(_ ending: String, of library: String) -> [String] {
        Repository.files(in: library, ending).map(\.text)
    }

    @Test(arguments: Repository.libraries) func everyPublicTypeIsListed(library: String) {
        let declaration =
            /\n((?:@[^\n]*\n)*)(?:@\w+ )*(?:public|open) (?:final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        let declared = Set(
            Self.texts(".swift", of: library).flatMap { "\n\($0)".matches(of: declaration) }
                .filter { !$0.1.contains("visibility: internal") }.map { String($0.2) })
        let listed = Set(
            Self.texts(".md", of: library).flatMap { $0.matches(of: /\n- ``(\w+)``/).map { String($0.1) } })
        #expect(declared.count > (library == "Sources/Squall" ? 100 : 3))
        #expect(declared.subtracting(listed).sorted() == [])
    }

    @Test(arguments: Repository.libraries) func noTopicIsListedTwice(library: String) {
        for page in Self.texts(".md", of: library) {
            let topics = page.matches(of: /\n- (``[^\n]+``|<doc:[^\n]+>)/).map { String($0.1) }
            #expect(Dictionary(grouping: topics, by: \.self).filter { $0.value.count > 1 }.isEmpty)
        }
    }
}
