import Testing

@testable import SquallPages

@Suite struct SwiftLexerTests {
    /// Returns the coloured tokens, each with the first letter of its kind.
    private func colours(_ source: String) -> [String] {
        let tokens = SwiftLexer.tokens(of: source)
        #expect(tokens.map(\.text).joined() == source)
        return tokens.filter { $0.kind != .plain }.map { "\($0.kind.rawValue.prefix(1)):\($0.text)" }
    }

    @Test func keywordsTypesAndNumbers() {
        #expect(colours("let a: Int = 20_000 + 1.5") == ["k:let", "t:Int", "n:20_000", "n:1.5"])
        #expect(colours("for i in 1...3") == ["k:for", "k:in", "n:1", "n:3"])
        #expect(
            colours("@MainActor final class Car: Record") == [
                "k:@MainActor", "k:final", "k:class", "t:Car", "t:Record",
            ])
    }

    @Test func labelsAndMembersAreNotKeywords() {
        #expect(colours("where(in: a, default: b)") == ["k:where", "k:default"])
        #expect(colours("a.self, .default, `class`") == [])
    }

    @Test func interpolationIsCode() {
        let expected = ["s:\"price > \\(", "n:3", "s:)\"", "k:in"]
        #expect(colours(#""price > \(f(3))" in"#) == expected)
    }

    @Test func stringsAndTheirEscapes() {
        #expect(colours(##"#"\(a) \#(b)"# "\"c" d"##) == [##"s:#"\(a) \#("##, ##"s:)"#"##, ##"s:"\"c""##])
        #expect(colours("\"\"\"\na \"b\"\n\"\"\"") == ["s:\"\"\"\na \"b\"\n\"\"\""])
        #expect(colours("\"open\nlet") == ["s:\"open", "k:let"])
    }

    @Test func comments() {
        #expect(colours("a // let \"b\"\nlet") == ["c:// let \"b\"", "k:let"])
        #expect(colours("/* a /* b */ c */ let") == ["c:/* a /* b */ c */", "k:let"])
        #expect(colours("/* a") == ["c:/* a"])
    }

    @Test(arguments: ["", "\"", "\"\\", "\"\\(", "#", "#\"", "/*", "`", "@", "\\", "\"\\(\"\\("])
    func unfinishedSourceIsKept(source: String) {
        #expect(SwiftLexer.tokens(of: source).map(\.text).joined() == source)
    }
}
