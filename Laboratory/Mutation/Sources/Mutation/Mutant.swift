/// A change of one expression or one statement of the library.
struct Mutant: Codable, Sendable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case comparison, arithmetic, logic, condition, boolean, number, deletedCall, deletedAssignment
    }

    /// The number that selects the mutant at run time, from 1.
    var id = 0
    var kind: Kind
    /// The path of the file, from the folder of the sources.
    var file: String
    var line: Int
    /// The line of code, without the blanks around it.
    var code: String
    /// The bytes of the file that are replaced.
    var start: Int
    var end: Int
    var before: String
    /// The changed text, as a report shows it.
    var after: String
    /// The text that replaces the bytes. `#` is the number of the mutant.
    var replacement: String

    /// The first two folders of the path: a module, and a capability of it.
    var folder: String { file.split(separator: "/").prefix(2).joined(separator: "/") }

    /// The mutant in a line of a report.
    var description: String {
        "\(file):\(line) \(kind.rawValue): \(Self.shortened(before)) -> \(Self.shortened(after))"
    }

    /// Returns a text with single spaces in place of its blanks and line breaks.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func shortened(_ text: String) -> String {
        let joined = oneLine(text)
        return joined.count > 90 ? joined.prefix(90) + "…" : joined
    }
}
