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
    func contains(_ word: String) -> Bool {
        [name, note ?? ""].contains { $0.split(separator: " ").contains { $0 == word } }
    }

    static func == (left: ItemRow, right: ItemRow) -> Bool { left.fingerprint == right.fingerprint }

    /// A text that two rows share only if their bytes are equal: `==` of `String` also holds for equivalent characters.
    var fingerprint: String {
        let texts = [name, note].map { text in text.map { $0.utf8.map { "\($0)" }.joined(separator: ".") } ?? "-" }
        // SQLite stores -0.0 as 0.
        let numbers = "\(price.map { $0 + 0 } ?? .infinity) \(owner ?? .min) \(stars) \(code ?? .min)"
        let bytes = data.map { "\($0.count)/\($0.reduce(0) { $0 &* 31 &+ Int($1) })" } ?? "-"
        return "\(id) \(texts) \(numbers) \(seen?.timeIntervalSince1970 ?? -1) \(bytes) \(late ?? -1)"
    }

    /// The call of the initialiser that makes the row.
    func swift(_ shape: TableShape) -> String {
        let key = shape.key.swift(id)
        let date = seen.map { "Date(timeIntervalSince1970: \(Int($0.timeIntervalSince1970)))" } ?? "nil"
        let bytes = data.map { "Data(\([UInt8]($0)))" } ?? "nil"
        let values = "price: \(text(price)), note: \(note.map(\.debugDescription) ?? "nil"), owner: \(text(owner))"
        return "Item(id: \(key), part: \(part), name: \(name.debugDescription), \(values), stars: \(stars), "
            + "code: \(text(code)), seen: \(date), data: \(bytes))"
    }

    /// The values in the order of the columns, as SQL.
    func sqlValues(_ shape: TableShape) -> [String] {
        [
            shape.key.sql(id), "\(part)", name.sqlText, text(price, "NULL"), note?.sqlText ?? "NULL",
            text(owner, "NULL"), "\(stars)", text(code, "NULL"), shape.sql(seen), data?.sqlBlob ?? "NULL",
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

extension Data {
    var sqlBlob: String {
        "x'" + map { String(format: "%02x", $0) }.joined() + "'"
    }
}
