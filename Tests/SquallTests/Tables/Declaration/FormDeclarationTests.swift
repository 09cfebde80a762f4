import Foundation
import Squall
import SquallTestSupport
import Testing

/// Columns with and without forms beside one another, in every way to declare a table.
struct FormDeclarationTests {
    /// The types that a record reads without its codecs, and more columns than the initialisers for few columns take.
    struct Fields: Initializable, Equatable {
        var int = 0
        var int64: Int64 = 0
        var text = ""
        var real = 0.0
        var flag = false
        var data = Data()
        var optionalText: String?
        var optionalInt64: Int64?
        var optionalInt: Int?
        var optionalReal: Double?
        var lastText = ""
        var lastInt = 0
        var lastDate = Date(timeIntervalSinceReferenceDate: 0)
    }

    enum Declaration: CaseIterable { case few, many, arguments, settable }

    /// The columns that have a form, by their bits.
    struct Forms {
        let mask: Int

        func column<Value: FormValue>(
            _ bit: Int, _ keyPath: any KeyPath<Fields, Value> & Sendable
        ) -> Column<Fields, Value> {
            guard mask & 1 << bit != 0, let form = FormName.mirrored.form(of: Value.self) else {
                return Column("c\(bit)", keyPath)
            }
            return Column("c\(bit)", keyPath, as: form)
        }

        func column<Value: FormValue>(
            _ bit: Int, _ keyPath: any KeyPath<Fields, Value?> & Sendable
        ) -> Column<Fields, Value?> {
            guard mask & 1 << bit != 0, let form = FormName.mirrored.form(of: Value.self) else {
                return Column("c\(bit)", keyPath)
            }
            return Column("c\(bit)", keyPath, as: form)
        }
    }

    private func table(_ declaration: Declaration, _ forms: Forms) -> any RecordTable<Fields> {
        let (int, int64) = (forms.column(0, \Fields.int), forms.column(1, \Fields.int64))
        let (text, real) = (forms.column(2, \Fields.text), forms.column(3, \Fields.real))
        let (flag, data) = (forms.column(4, \Fields.flag), forms.column(5, \Fields.data))
        let (optionalText, optionalInt64) = (
            forms.column(6, \Fields.optionalText), forms.column(7, \Fields.optionalInt64)
        )
        let (optionalInt, optionalReal) = (forms.column(8, \Fields.optionalInt), forms.column(9, \Fields.optionalReal))
        let (lastText, lastInt) = (forms.column(10, \Fields.lastText), forms.column(11, \Fields.lastInt))
        let lastDate = forms.column(12, \Fields.lastDate)
        switch declaration {
        case .few:
            return Table(
                "fields",
                { int, int64, text, real, flag, data, optionalText, optionalInt64, optionalInt, optionalReal in
                    Fields(
                        int: int, int64: int64, text: text, real: real, flag: flag, data: data,
                        optionalText: optionalText,
                        optionalInt64: optionalInt64, optionalInt: optionalInt, optionalReal: optionalReal)
                }
            ) {
                int
                int64
                text
                real
                flag
                data
                optionalText
                optionalInt64
                optionalInt
                optionalReal
            }
        case .many:
            return Table("fields", Fields.init) {
                int
                int64
                text
                real
                flag
                data
                optionalText
                optionalInt64
                optionalInt
                optionalReal
                lastText
                lastInt
                lastDate
            }
        case .arguments:
            return Table(
                "fields", Fields.init, int, int64, text, real, flag, data, optionalText, optionalInt64, optionalInt,
                optionalReal, lastText, lastInt, lastDate)
        case .settable:
            return Table("fields", Fields.self) {
                int
                int64
                text
                real
                flag
                data
                optionalText
                optionalInt64
                optionalInt
                optionalReal
                lastText
                lastInt
                lastDate
            }
        }
    }

    private func fields(_ generator: inout SeededGenerator) -> Fields {
        func pick<Value: FormValue>(_ type: Value.Type) -> Value {
            Value.samples[Int.random(in: Value.samples.indices, using: &generator)]
        }
        func pickOptional<Value: FormValue>(_ type: Value.Type) -> Value? { generator.chance(30) ? nil : pick(type) }
        return Fields(
            int: pick(Int.self), int64: pick(Int64.self), text: pick(String.self), real: pick(Double.self),
            flag: pick(Bool.self), data: pick(Data.self), optionalText: pickOptional(String.self),
            optionalInt64: pickOptional(Int64.self), optionalInt: pickOptional(Int.self),
            optionalReal: pickOptional(Double.self), lastText: pick(String.self), lastInt: pick(Int.self),
            lastDate: pick(Date.self))
    }

    @Test func randomColumnsWithFormsAreReadInTheirFormsAndTheOthersWithout() throws {
        var generator = TestSeed.of().generator()
        let connection = try Connection()
        for _ in 0..<500 {
            let declaration = Declaration.allCases.randomElement(using: &generator) ?? .many
            // None, one, some, or all.
            let masks = [
                0, 1 << Int.random(in: 0..<13, using: &generator), Int.random(in: 0..<8192, using: &generator), 8191,
            ]
            let forms = Forms(mask: masks.randomElement(using: &generator) ?? 0)
            var records = (0..<3).map { _ in fields(&generator) }
            if declaration == .few {
                for index in records.indices {
                    (records[index].lastText, records[index].lastInt) = ("", 0)
                    records[index].lastDate = Fields().lastDate
                }
            }
            let seed = "\(declaration) \(forms.mask)"
            func check(_ table: some RecordTable<Fields>) throws {
                try connection.create(table)
                try connection.table(table).insert(contentsOf: records)
                #expect(try connection.table(table).all() == records, "\(seed)")
                #expect(try connection.table(table).all("SELECT * FROM fields") == records, "\(seed)")
                let names = table.definition.columns.map(\.name).shuffled(using: &generator)
                let sql = "SELECT " + names.map { "\(name: $0)" as SQL }.joined(separator: ", ") + " FROM fields"
                #expect(try connection.table(table).all(sql) == records, "\(seed)")
                let second = try connection.all(table.select { ($0[\.int], $0.record) }).map(\.1)
                #expect(second == records, "\(seed)")
                try connection.run("DROP TABLE fields")
            }
            try check(table(declaration, forms))
        }
    }

    // MARK: Values that a form refuses

    private struct Note: Initializable {
        var id = 0
        var tags: [Int] = []
        var token = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var at: Date?
    }

    private let notes = Table("notes", Note.self) {
        Column("id", \Note.id, .primaryKey)
        Column("tags", \Note.tags, as: .json, .default([]))
        Column("token", \Note.token, as: .text)
        Column("at", \Note.at, as: .unixMilliseconds)
    }

    /// Memory was not missing: the error says that the value was refused, and why.
    @Test(arguments: ["{}", "null", "", "[1", "[\"a\"]"])
    func jsonThatDoesNotDecodeIsNotCalledMissingMemory(_ text: String) throws {
        let connection = try Connection()
        try connection.create(notes)
        try connection.table(notes).insert(Note(id: 2))
        try connection.run("UPDATE notes SET tags = ?", text)
        let attempts: [() throws -> Void] = [
            { _ = try connection.table(notes).all() },
            { _ = try connection.table(notes).all("SELECT * FROM notes") },
            { _ = try connection.table(notes).find(2) },
        ]
        for attempt in attempts {
            let error = try conversionError(attempt)
            #expect(error.reason == .unacceptable)
            #expect(error.decodingError != nil)
            #expect(error.columnName == "tags" && error.expected == "Array<Int>" && error.found == .text)
            #expect(error.description.contains("found TEXT that it does not accept"))
            #expect(!(ResultCode.outOfMemory ~= error))
        }
    }

    @Test func aValueThatAFormRefusesHasTheReasonOfItsStorageClass() throws {
        let connection = try Connection()
        try connection.create(notes)
        let values: [(String, SQL, ConversionError.Reason)] = [
            ("token", "'no UUID'", .unacceptable), ("token", "''", .unacceptable), ("token", "x'00'", .storageClass),
            ("tags", "x'00'", .storageClass), ("tags", "CAST(x'ff' AS TEXT)", .invalidUTF8), ("at", "1.5", .outOfRange),
            ("at", "'soon'", .storageClass),
        ]
        for (column, value, reason) in values {
            try connection.run("DELETE FROM notes")
            try connection.table(notes).insert(Note(id: 1))
            try connection.run("UPDATE notes SET \(name: column) = \(value)")
            #expect(try conversionError { _ = try connection.table(notes).all() }.reason == reason, "\(value.text)")
            if column == "token" {
                #expect(try conversionError { _ = try connection.all(notes.select { $0.token }) }.reason == reason)
            }
        }
    }

    /// A form decides about values, and not about NULL.
    @Test func aFormIsNotCalledForNULL() throws {
        let form = StorageForm<String>("shout", type: "TEXT") {
            .text($0.uppercased())
        } decode: {
            $0.text ?? "nothing"
        }
        struct Word: Initializable { var text = "" }
        let words = Table("words", Word.self) { Column("text", \Word.text, as: form) }
        let connection = try Connection()
        try connection.execute("CREATE TABLE words(text); INSERT INTO words VALUES(NULL)")
        #expect(try conversionError { _ = try connection.table(words).all() }.reason == .null)
        #expect(try conversionError { _ = try connection.all(words.select { $0.text }) }.reason == .null)
    }
}
