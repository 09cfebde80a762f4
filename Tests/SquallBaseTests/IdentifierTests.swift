import Testing

import Squall

/// Names are compared as SQLite compares them: the ASCII letters without their case, and nothing else of Unicode.
struct IdentifierTests {
    static let spellings = [
        "a", "A", "az", "AZ", "É", "é", "e\u{301}", "E\u{301}", "ß", "SS", "ı", "i", "I", "İ", "[", "{", "", "a b",
    ]

    @Test func asciiLettersMatchInAnyCase() {
        #expect(Identifier("Order_Items") == "order_ITEMS")
        #expect(Identifier("a") != "b")
        #expect(Identifier("a") != "ab")
        // Beside the letters, bit 5 of a byte is no case.
        #expect(Identifier("[") != "{")
        #expect(Identifier("@") != "`")
        #expect("Contacts".isSameName(as: "contacts"))
    }

    @Test func otherLettersMatchByTheirBytes() {
        #expect(Identifier("É") != "é")
        #expect(Identifier("\u{e9}") != "e\u{301}", "Swift's String has one name of these two")
        // Decomposed, the letter itself is of ASCII.
        #expect(Identifier("e\u{301}") == "E\u{301}")
        #expect(Set(["É", "é", "e\u{301}", "E\u{301}"].map { Identifier($0) }).count == 3)
    }

    @Test func equalNamesHashAlike() {
        for left in Self.spellings {
            for right in Self.spellings where Identifier(left) == Identifier(right) {
                #expect(Identifier(left).hashValue == Identifier(right).hashValue)
            }
        }
        #expect(Set([Identifier("A"), "a", "B", "b"]).count == 2)
    }

    @Test func theSpellingIsKept() {
        #expect(Identifier("CamelCase").spelling == "CamelCase")
        #expect("\(Identifier("CamelCase"))" == "CamelCase")
        #expect(["b", "A", "C"].map { Identifier($0) }.sorted().map(\.spelling) == ["A", "b", "C"])
    }

    /// The judge is SQLite: a table may have both columns exactly when they are two names.
    @Test func sqliteAgreesAboutEveryPair() throws {
        let connection = try Connection()
        for (index, left) in Self.spellings.enumerated() where !left.isEmpty {
            for (other, right) in Self.spellings.enumerated() where other > index && !right.isEmpty {
                let areTwo =
                    (try? connection.execute(
                        "CREATE TABLE t_\(raw: "\(index)_\(other)")(\(name: left), \(name: right))")) != nil
                #expect(areTwo == (Identifier(left) != Identifier(right)), "\(left) and \(right)")
            }
        }
    }
}
