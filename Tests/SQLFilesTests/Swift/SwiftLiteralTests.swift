import Testing

@testable import SquallSQLFiles

struct SwiftLiteralTests {
    @Test(arguments: [
        ("SELECT 'a'", #""SELECT 'a'""#),
        (#"SELECT "id""#, ##"#"SELECT "id""#"##),
        (#"SELECT 'C:\'"#, ##"#"SELECT 'C:\'"#"##),
        (##"SELECT "#a""##, ###"##"SELECT "#a""##"###),
        (#"SELECT '\("#, ##"#"SELECT '\("#"##),
        (##"SELECT '\#("##, ###"##"SELECT '\#("##"###),
        (#""" starts"#, #""\"\" starts""#),
        ("a\u{0}b\u{1B}\u{202E}", #""a\u{0}b\u{1B}\u{202E}""#),
        ("a\rb", #""a\rb""#),
    ])
    func textOnOneLine(text: String, literal: String) {
        #expect(SwiftLiteral(text).source() == literal)
    }

    @Test func textOfSeveralLinesIsIndented() {
        #expect(
            SwiftLiteral("SELECT \"id\"\n\n  FROM cars").source(indentation: "    ") == #"""
                """
                    SELECT "id"

                      FROM cars
                    """
                """#)
    }

    @Test func backslashesAndThreeQuotesMakeALiteralRaw() {
        #expect(SwiftLiteral("a\\n\nb").source() == "#\"\"\"\na\\n\nb\n\"\"\"#")
        #expect(SwiftLiteral("\"\"\"\nb").source() == "#\"\"\"\n\"\"\"\nb\n\"\"\"#")
    }

    @Test func lineEndsOfWindowsStay() {
        #expect(SwiftLiteral("a\r\nb").source() == "\"\"\"\na\\r\nb\n\"\"\"")
    }

    @Test func interpolationsFitTheLiteral() {
        let plain = SwiftLiteral([.text("id = "), .interpolation("id")])
        #expect(plain.source() == #""id = \(id)""#)
        let raw = SwiftLiteral([.text(#""id" IN "#), .interpolation("array: ids")])
        #expect(raw.source() == ##"#""id" IN \#(array: ids)"#"##)
    }
}
