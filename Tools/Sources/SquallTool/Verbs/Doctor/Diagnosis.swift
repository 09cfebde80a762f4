import Rainbow

/// A line of the doctor's list.
struct Diagnosis {
    enum Grade: String, Comparable, CaseIterable {
        case ok, note, warning, problem

        static func < (left: Self, right: Self) -> Bool {
            allCases.firstIndex(of: left).map { index in index < allCases.firstIndex(of: right) ?? 0 } ?? false
        }

        /// The grade in its colour.
        var coloured: String {
            switch self {
            case .ok: rawValue.green
            case .note: rawValue.cyan
            case .warning: rawValue.yellow
            case .problem: rawValue.red
            }
        }
    }

    let grade: Grade
    /// The subject of the line: `journal`, `foreign key`.
    let subject: String
    /// The table, index, view or trigger; `nil` for the file.
    var object: String?
    let message: String
    /// How to mend it, where it can be mended.
    var cure: String?

    static let columns = ["grade", "subject", "object", "message", "cure"]

    var cells: [Cell] {
        [
            .text(grade.rawValue), .text(subject), object.map { .text($0) } ?? .null, .text(message),
            cure.map { .text($0) } ?? .null,
        ]
    }

    /// The lines for people.
    var text: String {
        let padding = String(repeating: " ", count: 9 - grade.rawValue.count)
        let place = object.map { "\($0): " } ?? ""
        let line = "\(grade.coloured)\(padding)\(subject): \((place + message).printable)\n"
        return line + (cure.map { "         \("cure: \($0)".printable.dim)\n" } ?? "")
    }
}
