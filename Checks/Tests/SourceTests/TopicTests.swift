import Foundation
import Testing

/// The documentation lists every public type, so that it can be found without knowing its name.
struct TopicTests {
    /// The library and its annexes.
    static let modules = ["Squall"] + ArchitectureTests.annexes.map(\.key)

    /// The texts of a module's files with an ending.
    private static func texts(_ ending: String, of module: String) -> [String] {
        Repository.files(in: "Sources/\(module)", ending).map(\.text)
    }

    @Test(arguments: modules) func everyPublicTypeIsListed(module: String) {
        let declaration =
            /\n((?:@[^\n]*\n)*)(?:@\w+ )*(?:public|open) (?:final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        let declared = Set(
            Self.texts(".swift", of: module).flatMap { "\n\($0)".matches(of: declaration) }
                .filter { !$0.1.contains("visibility: internal") }.map { String($0.2) })
        let listed = Set(Self.texts(".md", of: module).flatMap { $0.matches(of: /\n- ``(\w+)``/).map { String($0.1) } })
        #expect(declared.count > (module == "Squall" ? 100 : module == "SquallEncryption" ? 1 : 5))
        // The symbol graph leaves this one out, so that no page can list it.
        #expect(declared.subtracting(listed).subtracting(["SquallVersion"]).sorted() == [])
    }

    @Test(arguments: modules) func noTopicIsListedTwice(module: String) {
        for page in Self.texts(".md", of: module) {
            let topics = page.matches(of: /\n- (``[^\n]+``|<doc:[^\n]+>)/).map { String($0.1) }
            #expect(Dictionary(grouping: topics, by: \.self).filter { $0.value.count > 1 }.isEmpty)
        }
    }
}
