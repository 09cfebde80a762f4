extension HTML {
    /// Returns code that may be broken within a long name, after a point, a label or a parenthesis, as in `insert(into:`
    /// and `where:)`. Its arrows are not broken.
    static func breakable(_ code: String) -> [HTML] {
        var result: [HTML] = []
        var part = ""
        var previous: Character?
        var rest = code[...]
        while let character = rest.popFirst() {
            if character == "-", rest.first == ">" {
                rest.removeFirst()
                result += [.text(part), Tag.span(.class("arrow")) { "->" }]
                part = ""
            } else {
                part.append(character)
                if let previous, let next = rest.first, mayBreak(after: character, between: previous, and: next) {
                    result += [.text(part), Tag.wbr()]
                    part = ""
                }
            }
            previous = character
        }
        return part.isEmpty ? result : result + [.text(part)]
    }

    private static func mayBreak(after character: Character, between previous: Character, and next: Character) -> Bool {
        guard !previous.isWhitespace, !previous.isPunctuation || "_)]?!".contains(previous) else { return false }
        return switch character {
        case ".", ":": next.isLetter || next == "_"
        case "(": next != ")"
        default: false
        }
    }
}
