import Foundation
import Squall
import SquallTestSupport
import Testing

/// Conditions on a part of a text: `contains`, `hasPrefix` and `hasSuffix`.
struct TextPartTests {
    private enum Kind: String, Binding, CaseIterable { case petrol, diesel }

    private struct Name: RawRepresentable, Binding, Equatable {
        let rawValue: String
    }

    private struct Note: TableRecord, Equatable {
        var id: Int
        var text: String
        var other: String?
        var kind = Kind.petrol
        var name: Name? = nil
        var code = ""
        var json = ""
        var label = Name(rawValue: "")

        /// Writes each byte as two digits, so that the parts of a text are parts of what is stored.
        static func hex(_ text: String) -> String { text.utf8.map { String(Int($0) + 256, radix: 16) }.joined() }

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("text", \Note.text, .collate("NOCASE"))
            Column("other", \Note.other, .collate("RTRIM"))
            Column("kind", \Note.kind)
            Column("name", \Note.name)
            Column(
                "code", \Note.code,
                as: StorageForm("hex", type: "TEXT", encode: { .text(hex($0)) }, decode: { _ in "" }))
            Column("json", \Note.json, as: .json)
            Column(
                "label", \Note.label,
                as: StorageForm(
                    "hexName", type: "TEXT", encode: { .text(hex($0.rawValue)) }, decode: { _ in Name(rawValue: "") }))
        }
    }

    private static let texts = [
        "", "a", "A", "ab", "aba", "50%", "50_", "5", "\0", "a\0b", "\0a", "b\0", "é", "e\u{301}", "😀", "a😀", "😀b",
        "\u{10FFFF}",
        " ", "a ", " a", "x'", "\"", "%", "_", "\n", String(repeating: "ab", count: 30_000),
    ]

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(Note.table)
    }

    private func condition(_ condition: (Columns<Note>) -> Condition) -> String {
        let sql = Note.where(condition).sql.debugDescription
        return sql.split(separator: " WHERE ", maxSplits: 1).last.map(String.init) ?? ""
    }

    private func ids(_ condition: (Columns<Note>) -> Condition) throws -> [Int] {
        try connection.all(Note.where(condition).order { $0.id }.select { $0.id })
    }

    @Test func theSQL() {
        #expect(condition { $0.text.contains("50%") } == #"instr("notes"."text", '50%') > 0"#)
        #expect(
            condition { $0.text.hasPrefix("50_") } == #"substr(CAST("notes"."text" AS TEXT), 1, length('50_')) = '50_'"#
        )
        #expect(
            condition { $0.text.hasSuffix("_b") }
                == #"substr(CAST("notes"."text" AS BLOB), -length(CAST('_b' AS BLOB))) IS CAST('_b' AS BLOB)"#)
        #expect(
            condition { !$0.other.hasSuffix("b") } == """
                NOT (CASE WHEN "notes"."other" IS NOT NULL THEN \
                substr(CAST("notes"."other" AS BLOB), -length(CAST('b' AS BLOB))) IS CAST('b' AS BLOB) END)
                """)
        #expect(condition { $0.other.hasPrefix("") } == #"instr("notes"."other", '') > 0"#)
        #expect(condition { $0.text.hasSuffix("") } == #"instr("notes"."text", '') > 0"#)
        #expect(Note.where { $0.text.hasPrefix("a\0") }.sql.text.hasSuffix(#"instr("notes"."text", ?) = 1"#))
        #expect(
            condition { $0.text.lowercased().contains("a") && $0.id > 1 }
                == #"instr(lower("notes"."text"), 'a') > 0 AND "notes"."id" > 1"#)
        #expect(
            condition { $0.kind.hasPrefix("pet") } == #"substr(CAST("notes"."kind" AS TEXT), 1, length('pet')) = 'pet'"#
        )
        #expect(condition { $0.code.contains("a") } == #"instr("notes"."code", '161') > 0"#)
        #expect(Note.where { $0.text.contains("';--") }.sql.parameters == [.text("';--")])
    }

    /// Swift's rule, on the bytes: a text with another normal form is another text.
    @Test func everyPairOfTextsIsComparedAsInSwift() throws {
        func has(_ text: String, _ part: String, _ isPart: (Data, Data) -> Bool) -> Bool {
            part.isEmpty || isPart(Data(text.utf8), Data(part.utf8))
        }
        for (index, text) in Self.texts.enumerated() {
            try connection.insert(
                Note(
                    id: index, text: text, other: text, name: Name(rawValue: text), code: text,
                    label: Name(rawValue: text)))
        }
        for part in Self.texts {
            func expected(_ isPart: @escaping (Data, Data) -> Bool) -> [Int] {
                Self.texts.indices.filter { has(Self.texts[$0], part, isPart) }
            }
            let containing = expected { $0.range(of: $1) != nil }
            let beginning = expected { $0.starts(with: $1) }
            let ending = expected { $0.suffix($1.count) == $1 }
            let all = Array(Self.texts.indices)
            #expect(try ids { $0.text.contains(part) } == containing, "\(part)")
            #expect(try ids { $0.other.contains(part) } == containing, "\(part)")
            #expect(try ids { $0.name.contains(part) } == containing, "\(part)")
            #expect(try ids { $0.code.contains(part) } == containing, "\(part)")
            #expect(try ids { $0.label.contains(part) } == containing, "\(part)")
            #expect(try ids { $0.text.hasPrefix(part) } == beginning, "\(part)")
            #expect(try ids { $0.other.hasPrefix(part) } == beginning, "\(part)")
            #expect(try ids { $0.name.hasPrefix(part) } == beginning, "\(part)")
            #expect(try ids { $0.code.hasPrefix(part) } == beginning, "\(part)")
            #expect(try ids { $0.text.hasSuffix(part) } == ending, "\(part)")
            #expect(try ids { $0.other.hasSuffix(part) } == ending, "\(part)")
            #expect(try ids { $0.name.hasSuffix(part) } == ending, "\(part)")
            #expect(try ids { $0.label.hasSuffix(part) } == ending, "\(part)")
            #expect(try ids { !$0.other.contains(part) } == all.filter { !containing.contains($0) }, "\(part)")
            #expect(try ids { !$0.other.hasPrefix(part) } == all.filter { !beginning.contains($0) }, "\(part)")
            #expect(try ids { !$0.other.hasSuffix(part) } == all.filter { !ending.contains($0) }, "\(part)")
        }
    }

    @Test func nullHasNoPartAndDoesNotLackOne() throws {
        try connection.insert(Note(id: 1, text: "", other: nil))
        for part in ["", "a", "\0"] {
            #expect(try ids { $0.other.contains(part) || !$0.other.contains(part) } == [])
            #expect(try ids { $0.other.hasPrefix(part) || !$0.other.hasPrefix(part) } == [])
            #expect(try ids { $0.other.hasSuffix(part) || !$0.other.hasSuffix(part) } == [])
            #expect(try ids { $0.name.hasSuffix(part) || !$0.name.hasSuffix(part) } == [])
        }
        let other = Note.as("other")
        let joined = Note.leftJoin(other) { $0.id != $1.id }.select { note, _ in note.id }
        #expect(try connection.all(joined.where { $1.text.hasSuffix("") }) == [])
        #expect(try connection.all(joined.where { !$1.text.hasSuffix("a") }) == [])
    }

    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"]) func textOfEveryEncoding(_ encoding: String) throws {
        let connection = try Connection()
        try connection.execute("PRAGMA encoding = '\(raw: encoding)'")
        try connection.create(Note.table)
        try connection.insert(Note(id: 1, text: "aé😀b", other: ""))
        for part in ["", "b", "😀b", "é😀b", "aé😀b"] {
            #expect(try connection.count(Note.self) { $0.text.hasSuffix(part) && $0.text.contains(part) } == 1)
        }
        for part in ["", "a", "aé", "aé😀", "aé😀b"] {
            #expect(try connection.count(Note.self) { $0.text.hasPrefix(part) && $0.text.contains(part) } == 1)
        }
        for part in ["xaé😀b", "B", "aé😀b\0", "\0"] {
            #expect(try connection.count(Note.self) { $0.text.hasPrefix(part) || $0.text.hasSuffix(part) } == 0)
            #expect(try connection.count(Note.self) { $0.text.contains(part) || $0.other.hasSuffix(part) } == 0)
        }
    }

    /// Values that other programs store: other storage classes are converted to TEXT, and TEXT that is not UTF-8 has its bytes.
    @Test func valuesOfOtherStorageClasses() throws {
        try connection.execute(
            """
            INSERT INTO notes(id, text, kind, code, json, label) VALUES
                (1, x'616263', '', '', '""', ''), (2, CAST(x'61FF62' AS TEXT), '', '', '""', ''),
                (3, x'', '', '', '""', ''), (4, x'00', '', '', '""', ''), (5, 105, '', '', '""', '')
            """)
        #expect(try ids { $0.text.contains("b") } == [1, 2])
        #expect(try ids { $0.text.hasPrefix("a") } == [1, 2])
        #expect(try ids { $0.text.hasSuffix("b") } == [2])
        #expect(try ids { $0.text.hasSuffix("c") } == [1])
        #expect(try ids { $0.text.contains("10") && $0.text.hasPrefix("10") && $0.text.hasSuffix("05") } == [5])
        #expect(try ids { $0.text.contains("\0") && $0.text.hasSuffix("\0") } == [4])
        #expect(try ids { $0.text.contains("") && $0.text.hasPrefix("") && $0.text.hasSuffix("") } == [1, 2, 3, 4, 5])
    }

    @Test func jsonAndUnknownRawValuesAreRefused() throws {
        for query in [
            Note.where { $0.json.contains("a") }, Note.where { $0.json.hasPrefix("a") },
            Note.where { $0.json.hasSuffix("a") },
        ] {
            let error = try sqliteError { _ = try connection.count(query) }
            #expect(error.message.contains(#""notes"."json" is stored in the form json"#))
        }
    }

    /// A form encodes values of its type only.
    @Test func aPartThatIsNotAValueOfAColumnWithAForm() throws {
        struct Car: TableRecord {
            let kind: Kind
            static let table = Table("cars", Car.init) {
                Column(
                    "kind", \Car.kind,
                    as: StorageForm(
                        "hexKind", type: "TEXT", encode: { .text(Note.hex($0.rawValue)) }, decode: { _ in .petrol }))
            }
        }
        try connection.create(Car.table)
        try connection.insert(Car(kind: .diesel))
        #expect(try connection.count(Car.where { $0.kind.hasPrefix("diesel") }) == 1)
        #expect(throws: SQLiteError.self) { try connection.count(Car.where { $0.kind.hasPrefix("die") }) }
    }
}
