import Foundation

/// A row of the common table `items`, as the model has it.
struct ItemRow: Equatable, Sendable {
    var id: Int64
    var name = ""
    var price: Double?
    var note: String?
    var owner: Int64?
    var stars: Int64 = 7
    var code: Int64?
    var seen: Date?
    var data: Data?
    /// The value of the column that was added to the table when it had rows, which no record has.
    var late = Self.lateDefault

    static let lateDefault: Double? = 2

    /// The second column of the composite key.
    var part: Int64 { id % 3 }

    init(id: Int64) { self.id = id }

    /// Makes a row of values that are hostile where they can be.
    init(id: Int64, _ dice: inout Dice) {
        self.id = id
        name = Self.text(&dice)
        price = dice.choice(of: [nil, -0.0, 0.1, 1e300, 3, -2.5, 9_007_199_254_740_992])
        note = dice.once(in: 3) ? nil : Self.text(&dice)
        stars = dice.choice(of: [7, 0, -1, 1_000_000, .max, .min + 1])
        seen = dice.once(in: 2) ? nil : Date(timeIntervalSince1970: Double(dice.number(below: 4_000_000_000)))
        data = dice.choice(of: [nil, Data(), Data([0, 255, 0]), Data(repeating: 7, count: 3_000)])
    }

    static let words = ["alpha", "beta", "gamma", "delta"]

    /// Returns some words, often followed by a text that is read wrongly in many places.
    static func text(_ dice: inout Dice) -> String {
        var parts = (0..<dice.number(below: 4)).map { _ in dice.choice(of: words) }
        let hostile = ["É", "E\u{301}", "😀", "a\u{0}b", "日本語", "it's \"\\", "NULL", "1e5", " "]
        if dice.once(in: 2) { parts.append(dice.choice(of: hostile)) }
        return parts.joined(separator: " ")
    }

    /// Whether a word is one of those of the name or the note, which spaces separate.
    ///
    /// - Parameter columns: `name`, `note` or both.
    func contains(_ word: String, in columns: [String]) -> Bool {
        columns.map { $0 == "name" ? name : note ?? "" }.contains { $0.split(separator: " ").contains { $0 == word } }
    }

    /// Compares bytes: `==` of `String` also holds for equivalent characters.
    static func == (left: ItemRow, right: ItemRow) -> Bool {
        // SQLite stores -0.0 as 0, which `==` of `Double` accepts.
        left.id == right.id && left.price == right.price && left.owner == right.owner && left.stars == right.stars
            && left.code == right.code && left.seen == right.seen && left.data == right.data
            && left.late == right.late && left.name.hasSameBytes(as: right.name)
            && left.note.hasSameBytes(as: right.note)
    }

    /// A text that two rows share only if their bytes are equal.
    var fingerprint: String {
        let texts = "\(name.fingerprint) \(note?.fingerprint ?? "-")"
        let numbers = "\(text(price.map { $0 + 0 })) \(text(owner)) \(stars) \(text(code))"
        return
            "\(id) \(texts) \(numbers) \(text(seen?.timeIntervalSince1970)) \(data?.base64EncodedString() ?? "-") \(text(late))"
    }

    /// The call of the initialiser that makes the row.
    func swift(_ shape: TableShape) -> String {
        let key = shape.key.swift(id)
        let date = seen.map { "Date(timeIntervalSince1970: \(Int($0.timeIntervalSince1970)))" } ?? "nil"
        let bytes = data?.swift ?? "nil"
        let values = "price: \(text(price)), note: \(note.map(\.debugDescription) ?? "nil"), owner: \(text(owner))"
        return "Item(id: \(key), part: \(part), name: \(name.debugDescription), \(values), stars: \(stars), "
            + "code: \(text(code)), seen: \(date), data: \(bytes))"
    }

    /// The values in the order of the columns, as SQL.
    func sqlValues(_ shape: TableShape) -> [String] {
        [
            shape.key.sql(id), "\(part)", name.sqlText, text(price, "NULL"), note?.sqlText ?? "NULL",
            text(owner, "NULL"), "\(stars)", text(code, "NULL"), shape.sql(seen), shape.sql(data),
        ]
    }

    private func text(_ value: (some CustomStringConvertible)?, _ null: String = "nil") -> String {
        value.map { "\($0)" } ?? null
    }
}

extension String {
    /// The text as SQL; by its bytes where a literal cannot have them.
    var sqlText: String {
        if utf8.contains(0) { return "CAST(\(Data(utf8).sqlBlob) AS TEXT)" }
        return "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    }
}

extension String {
    /// Whether all bytes are equal.
    func hasSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count == right.count
                }
                return memcmp(first, second, left.count) == 0
            }
        }
    }

    /// The text if it is ASCII, otherwise its bytes too.
    fileprivate var fingerprint: String {
        utf8.count == unicodeScalars.count
            ? debugDescription : "\(debugDescription) \(Data(utf8).base64EncodedString())"
    }
}

extension String? {
    fileprivate func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}

extension String {
    /// The bytes as SQLite's function `hex` writes them.
    var hexadecimal: String { Data(utf8).sqlBlob.dropFirst(2).dropLast().uppercased() }
}

extension Data {
    /// The call of the initialiser that makes the bytes. A long list of numbers would take long to compile.
    fileprivate var swift: String {
        if count < 16 { return "Data(\([UInt8](self)))" }
        if self == Data(repeating: self[startIndex], count: count) {
            return "Data(repeating: \(self[startIndex]), count: \(count))"
        }
        return "Data(base64Encoded: \"\(base64EncodedString())\")!"
    }

    /// The bytes as a literal of SQL.
    var sqlBlob: String {
        let digits = Array("0123456789abcdef".utf8)
        // Through a pointer, which is many times faster where nothing is optimised.
        let text = String(unsafeUninitializedCapacity: count * 2) { text in
            withUnsafeBytes { bytes in
                for index in 0..<bytes.count {
                    text[index * 2] = digits[Int(bytes[index] >> 4)]
                    text[index * 2 + 1] = digits[Int(bytes[index] & 15)]
                }
            }
            return count * 2
        }
        return "x'\(text)'"
    }
}
