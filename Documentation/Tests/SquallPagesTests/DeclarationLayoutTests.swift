import Testing

@testable import SquallPages

@Suite struct DeclarationLayoutTests {
    @Test func shortDeclarationIsOneLine() {
        #expect(
            layout("@discardableResult", " ", "func", " ", "run", "(", "sql", ": SQL, ", "other", ": SQL)") == """
                @discardableResult func run(sql: SQL, other: SQL)
                """)
    }

    @Test func longDeclarationHasALineForEachParameter() {
        let declaration = layout(
            "@discardableResult", " ", "func", " ", "insert", "<Target, Values>(", "into", " type: Target, ",
            "set", " assignments: (Columns<Target, Values>) -> [Assignment], ", "condition", ": (A, B)? = nil) ",
            "throws", " -> Table<Target, Values> ", "where",
            " Target : TableRecord, Target.Key == Table<Target, Values>"
        )
        #expect(
            declaration == """
                @discardableResult
                func insert<Target, Values>(
                    into type: Target,
                    set assignments: (Columns<Target, Values>) -> [Assignment],
                    condition: (A, B)? = nil
                ) throws -> Table<Target, Values>
                where Target : TableRecord,
                      Target.Key == Table<Target, Values>
                """)
    }

    @Test func longPropertyIsNotBrokenInItsType() {
        let type = ": (Connection, DatabaseRegion, ConflictResolution, TransactionKind, Configuration) -> Void"
        #expect(layout("var", " ", "observer", type) == "var observer\(type)")
    }

    @Test func longFunctionWithoutParameters() {
        let name = String(repeating: "a", count: 90)
        #expect(layout("func", " ", name, "() ", "throws") == "func \(name)() throws")
    }

    /// Returns the layout of a declaration whose tokens have kinds that follow from their text.
    private func layout(_ texts: String...) -> String {
        let tokens = texts.map { text in
            let isName = text.allSatisfy { $0.isLetter }
            let kind: Token.Kind =
                if text.hasPrefix("@") {
                    .attribute
                } else if ["func", "var", "throws", "where"].contains(text) {
                    .keyword
                } else {
                    isName ? .identifier : .text
                }
            return Token(kind: kind, text: text)
        }
        return DeclarationLayout.lines(of: tokens).map(\.text).joined()
    }
}
